package io.obelus.core.file.data;

import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.schema.MessageType;

/**
 * The pages of a row group that hold one of some rows.
 *
 * @param count how many there are
 * @param others how many pages do not
 * @param ranges where they stand, with the dictionaries they need
 */
record WantedPages(long count, long others, NearRanges ranges) {

  /**
   * The pages of some columns.
   *
   * @throws ColumnIndexStore.MissingOffsetIndexException if the writer kept no offset index
   */
  static WantedPages of(
      BlockMetaData block, MessageType columns, RowRanges rows, ColumnIndexStore indexes) {
    long count = 0;
    long all = 0;
    NearRanges ranges = new NearRanges();
    for (ColumnChunkMetaData chunk : NearRanges.chunks(block, columns)) {
      OffsetIndex index = indexes.getOffsetIndex(chunk.getPath());
      long before = count;
      for (int page = 0; page < index.getPageCount(); page++) {
        long last = index.getLastRowIndex(page, block.getRowCount());
        if (rows.isOverlapping(index.getFirstRowIndex(page), last)) {
          if (count == before) { // the dictionary stands before the first page
            ranges.add(chunk.getStartingPos(), index.getOffset(0) - chunk.getStartingPos());
          }
          ranges.add(index.getOffset(page), index.getCompressedPageSize(page));
          count++;
        }
      }
      all += index.getPageCount();
    }
    return new WantedPages(count, all - count, ranges);
  }
}
