package io.obelus.core.table.manifest;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.row.RowBytes;
import java.io.Serializable;
import java.util.List;

/**
 * One line of an index manifest: an index file of a bucket (spec chapter 04).
 *
 * @param type HASH, DELETION_VECTORS or DELETE_MAP; another one is kept as it is
 * @param rowCount bitmaps of a deletion file, hashes of a HASH file
 * @param ranges null if the entry has none (HASH, DELETE_MAP)
 * @param externalPath full path if the file is not in the table's index directory; else null
 * @param globalIndex what newer writers keep of an index over rows; we only pass it on. Null if
 *     none
 */
public record IndexEntry(
    BucketId bucket,
    String type,
    String fileName,
    long fileSize,
    long rowCount,
    List<DeletionFile.Range> ranges,
    String externalPath,
    GlobalIndex globalIndex)
    implements Serializable {

  public static final String HASH = "HASH";
  public static final String DELETION_VECTORS = "DELETION_VECTORS";
  public static final String DELETE_MAP = "DELETE_MAP";

  /** Part of entries of version 2.0 writers, which no reader of ours looks into. */
  public record GlobalIndex(
      long fromRow,
      long toRow,
      int field,
      List<Integer> extraFields,
      RowBytes meta,
      RowBytes sourceMeta)
      implements Serializable {}

  public IndexEntry {
    ranges = ranges == null ? null : List.copyOf(ranges);
  }

  /** The line for a deletion file of a bucket. */
  public static IndexEntry of(BucketId bucket, DeletionFile file) {
    return new IndexEntry(
        bucket,
        file.deleteMap() ? DELETE_MAP : DELETION_VECTORS,
        file.name(),
        file.size(),
        file.bitmaps(),
        file.deleteMap() ? null : file.ranges(),
        file.path(),
        null);
  }

  /** Whether the file holds deletion bitmaps, in either coding. */
  public boolean isDeletionFile() {
    return type.equals(DELETION_VECTORS) || type.equals(DELETE_MAP);
  }

  /** The deletion file that this line describes; {@link #isDeletionFile} must hold. */
  public DeletionFile deletionFile() {
    return new DeletionFile(
        fileName,
        fileSize,
        rowCount,
        type.equals(DELETE_MAP),
        ranges == null ? List.of() : ranges,
        externalPath);
  }
}
