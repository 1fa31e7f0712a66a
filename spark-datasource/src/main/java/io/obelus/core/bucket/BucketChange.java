package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a task did to one bucket; the commit makes it visible together with the others.
 *
 * @param totalBuckets number of buckets the rows were spread over
 * @param removed files that are no longer part of the bucket, as they stood in the base snapshot
 * @param added files that now are; a file that only changes its level or its index is removed as it
 *     was and added as it is
 * @param written paths of all files that this change created in the bucket's directory, companions
 *     too: to be deleted if it is given up
 * @param deletions replaces the bucket's deletion file; null if the bitmaps did not change. In an
 *     unaware append bucket it is added to those there are
 * @param removedDeletions names of deletion files of an unaware append bucket that {@code
 *     deletions} replaces
 * @param logical whether rows of the table changed (a compaction alone changes none)
 */
public record BucketChange(
    BucketId bucket,
    int totalBuckets,
    List<DataFile> removed,
    List<DataFile> added,
    List<String> written,
    DeletionFile deletions,
    List<String> removedDeletions,
    boolean logical,
    Report report)
    implements Serializable {

  /**
   * What a person wants to know of it; nothing else depends on it.
   *
   * @param rowsWritten rows in new files
   * @param rowsStruckOut rows newly marked in deletion bitmaps
   * @param rowsPurged struck-out or replaced rows that a rewrite left behind for good
   * @param bytesRead bytes of the files that were rewritten
   */
  public record Report(long rowsWritten, long rowsStruckOut, long rowsPurged, long bytesRead)
      implements Serializable {}

  public BucketChange {
    removed = List.copyOf(removed);
    added = List.copyOf(added);
    written = List.copyOf(written);
    removedDeletions = List.copyOf(removedDeletions);
    Set<DataFile> both = new HashSet<>(removed);
    both.retainAll(added);
    if (!both.isEmpty()) {
      throw new IllegalArgumentException(bucket + ": replaced by itself: " + both);
    }
  }

  /** Whether there is nothing to commit. */
  public boolean isEmpty() {
    return removed.isEmpty() && added.isEmpty() && deletions == null;
  }
}
