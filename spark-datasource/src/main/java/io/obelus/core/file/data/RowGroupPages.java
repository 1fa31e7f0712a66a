package io.obelus.core.file.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.schema.MessageType;

/**
 * Pages of some columns of a row group for whoever decodes them: all, or those that hold one of
 * some rows. They are read from the file as they are asked for.
 */
final class RowGroupPages implements PageReadStore {

  private final OpenFile file;
  private final long rowCount;
  private final RowRanges rows; // null = all
  private final Map<ColumnPath, ChunkPages> columns = new HashMap<>();
  private final List<WantedPages> wanted = new ArrayList<>(); // empty if all are

  private RowGroupPages(OpenFile file, BlockMetaData block, RowRanges rows) {
    this.file = file;
    this.rowCount = rows == null ? block.getRowCount() : rows.rowCount();
    this.rows = rows;
  }

  /**
   * All pages.
   *
   * @param columns a part of the file's schema; may name columns that are not in it
   */
  static RowGroupPages all(OpenFile file, BlockMetaData block, MessageType columns) {
    RowGroupPages all = new RowGroupPages(file, block, null);
    for (ColumnChunkMetaData chunk : NearRanges.chunks(block, columns)) {
      all.columns.put(chunk.getPath(), ChunkPages.all(file, chunk));
    }
    file.expect(NearRanges.ofChunks(block, columns));
    return all;
  }

  /**
   * The pages that hold one of {@code rows}; all, if the writer did not say where pages are.
   *
   * @param columns a part of the file's schema; may name columns that are not in it
   */
  static RowGroupPages some(OpenFile file, BlockMetaData block, MessageType columns, RowRanges rows)
      throws IOException {
    Map<ColumnPath, OffsetIndex> indexes = file.offsetIndexes(block, columns);
    if (indexes.containsValue(null)) {
      return all(file, block, columns);
    }
    RowGroupPages some = new RowGroupPages(file, block, rows);
    NearRanges ranges = new NearRanges();
    for (ColumnChunkMetaData chunk : NearRanges.chunks(block, columns)) {
      WantedPages wanted =
          WantedPages.of(chunk, indexes.get(chunk.getPath()), rows, block.getRowCount());
      some.columns.put(chunk.getPath(), ChunkPages.some(file, wanted));
      wanted.addTo(ranges);
      some.wanted.add(wanted);
    }
    file.expect(ranges);
    return some;
  }

  /** The pages of each column; empty if it is all pages. */
  List<WantedPages> wanted() {
    return wanted;
  }

  /** Whether it is all rows of the row group that these pages are of. */
  boolean isAll() {
    return rows == null;
  }

  @Override
  public PageReader getPageReader(ColumnDescriptor column) {
    ChunkPages pages = columns.get(ColumnPath.get(column.getPath()));
    if (pages == null) {
      throw new IllegalArgumentException(
          file.path() + ": column " + Arrays.toString(column.getPath()) + " was not asked for");
    }
    return pages;
  }

  @Override
  public long getRowCount() {
    return rowCount;
  }

  @Override
  public Optional<PrimitiveIterator.OfLong> getRowIndexes() {
    return Optional.ofNullable(rows).map(RowRanges::iterator);
  }
}
