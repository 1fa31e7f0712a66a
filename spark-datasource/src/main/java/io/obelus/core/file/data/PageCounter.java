package io.obelus.core.file.data;

import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.schema.MessageType;

/** Counts the data pages that one reader reads and skips. Not thread-safe. */
final class PageCounter {

  private long read;
  private long skipped;

  PageFigures figures() {
    return new PageFigures(read, skipped);
  }

  /** All pages of these columns of a row group are read. */
  void all(BlockMetaData block, MessageType columns) {
    read += pages(block, columns);
  }

  /** No page of these columns of a row group is read. */
  void none(BlockMetaData block, MessageType columns) {
    skipped += pages(block, columns);
  }

  /** Pages are read that hold one of some rows of a row group. */
  void some(BlockMetaData block, MessageType columns, RowRanges rows, ColumnIndexStore indexes) {
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      if (columns.containsField(chunk.getPath().toArray()[0])) {
        OffsetIndex index = indexes.getOffsetIndex(chunk.getPath());
        for (int page = 0; page < index.getPageCount(); page++) {
          boolean wanted =
              rows.isOverlapping(
                  index.getFirstRowIndex(page), index.getLastRowIndex(page, block.getRowCount()));
          read += wanted ? 1 : 0;
          skipped += wanted ? 0 : 1;
        }
      }
    }
  }

  /** As the footer says; old writers do not. */
  private static long pages(BlockMetaData block, MessageType columns) {
    long pages = 0;
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      EncodingStats stats = chunk.getEncodingStats();
      if (stats != null && columns.containsField(chunk.getPath().toArray()[0])) {
        for (Encoding encoding : stats.getDataEncodings()) {
          pages += stats.getNumDataPagesEncodedAs(encoding);
        }
      }
    }
    return pages;
  }
}
