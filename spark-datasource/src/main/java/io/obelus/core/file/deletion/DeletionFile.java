package io.obelus.core.file.deletion;

import java.io.Serializable;
import java.util.List;

/**
 * One file in {@code index/} with the deletion bitmaps of a bucket, as the index manifest describes
 * it.
 *
 * @param size bytes of the file
 * @param bitmaps number of bitmaps in it ({@code _ROW_COUNT})
 * @param deleteMap whether it is a DELETE_MAP (spec chapter 25) rather than DELETION_VECTORS (09)
 * @param ranges where each bitmap is, in the file's order; empty for a DELETE_MAP, which has its
 *     own directory
 * @param path full path if it is not in the table's index directory; else null
 */
public record DeletionFile(
    String name, long size, long bitmaps, boolean deleteMap, List<Range> ranges, String path)
    implements Serializable {

  public DeletionFile {
    ranges = List.copyOf(ranges);
  }

  /**
   * Where the bitmap of one data file is.
   *
   * @param dataFile name of the data file
   * @param offset byte of the size prefix in the deletion file
   * @param length as in the index manifest: the 32-bit form without the 4-byte prefix and CRC, the
   *     64-bit form with
   * @param cardinality number of deleted rows; null if not recorded
   */
  public record Range(String dataFile, int offset, int length, Long cardinality)
      implements Serializable {}
}
