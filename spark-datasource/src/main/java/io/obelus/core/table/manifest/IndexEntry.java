package io.obelus.core.table.manifest;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.deletion.DeletionFile;
import java.io.Serializable;
import java.util.List;

/**
 * One line of an index manifest: an index file of a bucket (spec chapter 04).
 *
 * @param type HASH, DELETION_VECTORS or DELETE_MAP; another one is kept as it is
 * @param ranges null if the entry has none (HASH, DELETE_MAP)
 */
public record IndexEntry(
    BucketId bucket,
    String type,
    String fileName,
    long fileSize,
    long rowCount,
    List<DeletionFile.Range> ranges,
    String externalPath)
    implements Serializable {

  public static final String HASH = "HASH";
  public static final String DELETION_VECTORS = "DELETION_VECTORS";
  public static final String DELETE_MAP = "DELETE_MAP";
}
