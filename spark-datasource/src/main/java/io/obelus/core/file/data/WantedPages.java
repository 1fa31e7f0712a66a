package io.obelus.core.file.data;

import java.util.Arrays;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.schema.Type;

/**
 * The pages of one column of a row group that hold one of some rows.
 *
 * @param index where all pages of the column stand
 * @param rowCount rows of the row group
 * @param pages which are wanted, ascending, counted from 0
 */
record WantedPages(ColumnChunkMetaData chunk, OffsetIndex index, long rowCount, int[] pages) {

  static WantedPages of(
      ColumnChunkMetaData chunk, OffsetIndex index, RowRanges rows, long rowCount) {
    int[] pages = new int[index.getPageCount()];
    int count = 0;
    for (int page = 0; page < pages.length; page++) {
      if (rows.isOverlapping(index.getFirstRowIndex(page), index.getLastRowIndex(page, rowCount))) {
        pages[count++] = page;
      }
    }
    return new WantedPages(chunk, index, rowCount, Arrays.copyOf(pages, count));
  }

  int count() {
    return pages.length;
  }

  /** How many pages are not wanted. */
  int others() {
    return index.getPageCount() - pages.length;
  }

  /** Row of the row group at which wanted page {@code i} begins. */
  long firstRow(int i) {
    return index.getFirstRowIndex(pages[i]);
  }

  /** Rows of wanted page {@code i}. */
  int rows(int i) {
    return (int) (index.getLastRowIndex(pages[i], rowCount) - firstRow(i) + 1);
  }

  /** Whether a row is one value. */
  boolean isFlat() {
    return chunk.getPath().size() == 1
        && !chunk.getPrimitiveType().isRepetition(Type.Repetition.REPEATED);
  }

  /** Byte of the file at which wanted page {@code i} begins. */
  long from(int i) {
    return index.getOffset(pages[i]);
  }

  /** Byte of the file behind wanted page {@code i}. */
  long to(int i) {
    return from(i) + index.getCompressedPageSize(pages[i]);
  }

  /**
   * Byte of the file behind the last of the pages that follow wanted page {@code i} without gap.
   */
  long runEnd(int i) {
    int last = i;
    while (last + 1 < pages.length && from(last + 1) == to(last)) {
      last++;
    }
    return to(last);
  }

  /** Whether a dictionary stands before the pages, which is wanted as soon as one of them is. */
  boolean hasDictionary() {
    return count() > 0 && chunk.getStartingPos() < index.getOffset(0);
  }

  /** As {@link #runEnd}, of the dictionary. */
  long dictionaryRunEnd() {
    return pages[0] == 0 ? runEnd(0) : index.getOffset(0);
  }

  /** Adds where they stand, with the dictionary that they need. */
  void addTo(NearRanges ranges) {
    if (hasDictionary()) {
      ranges.add(chunk.getStartingPos(), index.getOffset(0) - chunk.getStartingPos());
    }
    for (int i = 0; i < pages.length; i++) {
      ranges.add(from(i), to(i) - from(i));
    }
  }
}
