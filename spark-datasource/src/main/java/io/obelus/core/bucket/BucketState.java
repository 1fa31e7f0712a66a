package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import java.io.Serializable;
import java.util.List;

/**
 * What a bucket consists of at one snapshot.
 *
 * @param directory path of its data files
 * @param totalBuckets number of buckets of the partition when its files were written; -1 = unaware
 *     or dynamic
 * @param files live data files of all levels, in the order of the manifests
 * @param deletions deletion files: at most one, but any number in an unaware append bucket
 */
public record BucketState(
    BucketId id,
    String directory,
    int totalBuckets,
    List<DataFile> files,
    List<DeletionFile> deletions)
    implements Serializable {

  public BucketState {
    files = List.copyOf(files);
    deletions = List.copyOf(deletions);
  }
}
