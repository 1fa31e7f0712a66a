package io.obelus.core.file.data;

import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
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

  /** Of one column of a row group, these pages are read. */
  void some(WantedPages pages) {
    read += pages.count();
    skipped += pages.others();
  }

  /** As the footer says; old writers do not. */
  private static long pages(BlockMetaData block, MessageType columns) {
    long pages = 0;
    for (ColumnChunkMetaData chunk : NearRanges.chunks(block, columns)) {
      EncodingStats stats = chunk.getEncodingStats();
      if (stats != null) {
        for (Encoding encoding : stats.getDataEncodings()) {
          pages += stats.getNumDataPagesEncodedAs(encoding);
        }
      }
    }
    return pages;
  }
}
