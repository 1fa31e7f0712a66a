package io.obelus.core.file.data;

import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.RowComparator;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Walks a sorted file. Which pages are read next is decided when those before are used up, by the
 * key then sought; within a batch the row is found by doubling steps and halving.
 */
final class SortedRows implements SortedFileCursor {

  /** While page follows page, this many are read at once: each read costs a call per column. */
  private static final int MOST_PAGES = 16;

  private final OpenFile file;
  private final DataFiles.Request request;
  private final RowSelection rows;
  private final Column firstKey; // as the file has it; null if it does not
  private final Comparator<InternalRow> order; // a row of the batch with a key
  private final SelectedBatches batches;

  private int block = -1;
  private KeyPages pages; // of the row group; null if it was not looked at yet
  private int nextPage;
  private int pagesAtOnce = 1;
  private long pagesBegun;

  private int count; // rows of the batch
  private int at;

  SortedRows(OpenFile file, DataFiles.Request request, int[] key, DataFiles.BatchSettings settings)
      throws IOException {
    this.file = file;
    this.request = request;
    this.rows = request.rows();
    this.firstKey = ReadColumns.stored(request.fileColumns(), request.columns().column(key[0]));
    int[] keyColumns = new int[key.length];
    Arrays.setAll(keyColumns, i -> i);
    this.order = RowComparator.across(request.columns(), key, keyColumns);
    this.batches = new SelectedBatches(file, request, request.columns(), settings);
  }

  @Override
  public boolean seek(InternalRow key) throws IOException {
    if (at < count && isReached(key)) {
      return true;
    }
    return file.guarded(() -> readUpTo(key));
  }

  private boolean readUpTo(InternalRow key) throws IOException {
    while (true) {
      if (batches.next()) {
        at = 0;
        count = batches.columns().numRows();
        if (isReached(key)) {
          return true;
        }
      } else if (!begin(key)) {
        at = count;
        return false;
      }
    }
  }

  /** Whether the batch has a row from {@code at} on that is not below the key; moves to it. */
  private boolean isReached(InternalRow key) {
    if (isBelow(count - 1, key)) {
      return false;
    }
    int low = at; // all rows before it are below the key
    int step = 1;
    while (low + step < count && isBelow(low + step - 1, key)) {
      low += step;
      step *= 2;
    }
    int high = Math.min(low + step - 1, count - 1); // not below the key
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBelow(middle, key)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    at = low;
    return true;
  }

  private boolean isBelow(int row, InternalRow key) {
    return order.compare(batches.columns().getRow(row), key) < 0;
  }

  /** Begins to read where the key may be; false if no page is left. */
  private boolean begin(InternalRow key) throws IOException {
    List<BlockMetaData> blocks = file.blocks();
    while (true) {
      if (pages != null && nextPage < pages.count()) {
        int page = firstSelected(pages.firstNotBelow(key, nextPage));
        if (page < pages.count()) {
          begin(page);
          return true;
        }
      }
      pages = null;
      if (++block >= blocks.size()) {
        block = blocks.size();
        return false;
      }
      look(blocks.get(block), key);
    }
  }

  /** Looks at a row group: first at what the footer says of it, then at its pages. */
  private void look(BlockMetaData candidate, InternalRow key) throws IOException {
    long first = candidate.getRowIndexOffset();
    if (!request.isInRange(first)
        || rows.cardinality(first, first + candidate.getRowCount()) == 0) {
      return;
    }
    nextPage = 0;
    if (firstKey == null) {
      throw new IllegalArgumentException(
          file.path() + ": the key column is not in the file; it cannot be searched by key");
    }
    KeyPages whole = KeyPages.wholeRowGroup(candidate, firstKey);
    if (whole.firstNotBelow(key, 0) == 0) {
      pages = KeyPages.read(file.pages(), candidate, firstKey);
    }
  }

  private int firstSelected(int from) {
    long first = file.blocks().get(block).getRowIndexOffset();
    int page = from;
    while (page < pages.count()
        && rows.cardinality(first + pages.firstRow(page), first + pages.firstRow(page + 1)) == 0) {
      page++;
    }
    return page;
  }

  private void begin(int page) throws IOException {
    pagesAtOnce = page == nextPage ? Math.min(2 * pagesAtOnce, MOST_PAGES) : 1;
    int end = Math.min(page + pagesAtOnce, pages.count());
    long[] from = {pages.firstRow(page)};
    long[] to = {pages.firstRow(end)};
    RowRanges range = Ranges.of(file.blocks().get(block).getRowCount(), from, to, 1);
    boolean whole = batches.begin(block, rows, range);
    pagesBegun += end - page;
    nextPage = whole ? pages.count() : end;
  }

  /** Pages of the first key column read so far. */
  long pagesRead() {
    return pagesBegun;
  }

  /** Bytes read so far, footer and indexes included. */
  long bytesRead() {
    return file.bytesRead();
  }

  @Override
  public InternalRow row() {
    return batches.columns().getRow(at);
  }

  @Override
  public long position() {
    return batches.position(at);
  }

  @Override
  public void close() throws IOException {
    try {
      batches.close();
    } finally {
      file.close();
    }
  }
}
