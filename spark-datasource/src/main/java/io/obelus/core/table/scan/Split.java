package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import java.io.Serializable;
import java.util.List;

/**
 * What one read task gets. All parts belong to one bucket if {@code merge}; else they may come from
 * several.
 *
 * @param merge whether rows of one key can be in several parts, so that they must be merged by key
 * @param bytes estimate of what will be read
 * @param rows that it returns at least, if no condition is given: exact where it holds whole files
 *     that are not merged
 */
public record Split(List<Part> parts, boolean merge, long bytes, long rows)
    implements Serializable {

  /** For a task that must be there though nothing is left to read. */
  public static final Split EMPTY = new Split(List.of(), false, 0, 0);

  public Split {
    parts = List.copyOf(parts);
  }

  /**
   * A data file, or a range of its row groups.
   *
   * @param directory of the bucket
   * @param deletions the deletion file that holds the file's bitmap; null if none
   * @param deleted rows of the file that the bitmap strikes out
   * @param from first position; row groups that begin in {@code [from, to)} are read
   */
  public record Part(
      BucketId bucket,
      String directory,
      DataFile file,
      DeletionFile deletions,
      long deleted,
      long from,
      long to)
      implements Serializable {

    /** Whether all of the file is in this part. */
    boolean whole() {
      return from == 0 && to == file.rowCount();
    }
  }
}
