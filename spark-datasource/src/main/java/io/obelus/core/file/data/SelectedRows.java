package io.obelus.core.file.data;

import io.obelus.core.file.position.RowSelection;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads the selected rows of a file, row group by row group. */
final class SelectedRows implements DataFileReader, PositionedBatch {

  private final OpenFile file;
  private final DataFiles.Request request;
  private final int capacity;
  private final PageFilter filter;
  private final SparkParquetReader decoder; // null if no column is decoded
  private final Output output;
  private final RowSelection rows;

  private int nextBlock;
  private long first; // position of the first row of the row group
  private Ranges.Walk walk; // rows of the row group that are decoded, as far as they are left
  private long left;

  // Where the rows of the batch stand: row j is decoded row kept[j] (or j), which is row
  // offsets[...] (or the ...th from start) of the row group.
  private final int[] kept;
  private final int[] scratch;
  private int[] offsets;
  private long start;
  private boolean isScattered;
  private boolean isCompacted;

  SelectedRows(OpenFile file, DataFiles.Request request, DataFiles.BatchSettings batches)
      throws IOException {
    this.file = file;
    this.request = request;
    this.rows = request.rows();
    this.capacity = batches.capacity();
    this.kept = new int[capacity];
    this.scratch = new int[capacity];
    this.filter = PageFilter.of(request.condition(), request.fileColumns(), file.schema());
    ReadColumns columns =
        new ReadColumns(file.path(), file.schema(), request.fileColumns(), request.columns());
    MessageType requested = columns.requested();
    file.pages().setRequestedSchema(requested);
    WritableColumnVector[] decoded = new WritableColumnVector[requested.getFieldCount()];
    if (decoded.length == 0) {
      this.decoder = null;
    } else {
      this.decoder = new SparkParquetReader(file.pages(), requested, columns.types(), batches);
      for (int i = 0; i < decoded.length; i++) {
        decoded[i] = decoder.vector(i);
      }
    }
    this.output = new Output(columns.sources(), request.columns(), decoded, batches);
  }

  @Override
  public PositionedBatch next() throws IOException {
    return file.guarded(this::nextUnguarded);
  }

  private PositionedBatch nextUnguarded() throws IOException {
    while (true) {
      while (left == 0) {
        if (!nextRowGroup()) {
          return null;
        }
      }
      int decoded = decoder == null ? (int) Math.min(capacity, left) : decoder.decode();
      left -= decoded;
      place(decoded);
      int count = rows.isAll() ? decoded : select(decoded);
      if (count > 0) {
        isCompacted = count < decoded;
        if (isCompacted) {
          output.some(kept, count);
        } else {
          output.all(decoded);
        }
        return this;
      }
    }
  }

  /** Goes to the next row group with a row to decode. */
  private boolean nextRowGroup() throws IOException {
    List<BlockMetaData> blocks = file.blocks();
    while (nextBlock < blocks.size()) {
      int index = nextBlock++;
      BlockMetaData block = blocks.get(index);
      first = block.getRowIndexOffset();
      if (first >= request.from() && first < request.to() && begin(index, block)) {
        return true;
      }
    }
    return false;
  }

  private boolean begin(int index, BlockMetaData block) throws IOException {
    long rowCount = block.getRowCount();
    if (rowCount == 0
        || rows.cardinality(first, first + rowCount) == 0
        || (filter != null && filter.drops(block))) {
      return false;
    }
    RowRanges ranges = RowGroupPlan.ranges(rows, first, rowCount);
    if (filter != null) {
      ranges = Ranges.both(ranges, filter.ranges(file.pages(), block));
    }
    if (ranges != null && ranges.rowCount() == 0) {
      return false;
    }
    if (ranges != null && ranges.rowCount() == rowCount) {
      ranges = null;
    }
    if (decoder != null) {
      ranges = feed(index, ranges);
    }
    if (ranges == null) {
      ranges = RowRanges.createSingle(rowCount);
    }
    walk = new Ranges.Walk(ranges);
    left = ranges.rowCount();
    return true;
  }

  /** Reads the pages; returns the rows that they hold, null = all. */
  private RowRanges feed(int index, RowRanges ranges) throws IOException {
    if (ranges != null) {
      try {
        PageReadStore some = file.pages().readFilteredRowGroup(index, ranges);
        decoder.feed(some);
        return ranges;
      } catch (ColumnIndexStore.MissingOffsetIndexException e) {
        // Old writers keep no offset index: then pages cannot be skipped.
      }
    }
    decoder.feed(file.pages().readRowGroup(index));
    return null;
  }

  /** Notes which rows of the row group the decoded ones are. */
  private void place(int decoded) {
    start = walk.next();
    isScattered = walk.run() < decoded;
    if (!isScattered) {
      walk.skip(decoded);
      return;
    }
    if (offsets == null) {
      offsets = new int[capacity];
    }
    int placed = 0;
    while (placed < decoded) {
      int run = (int) Math.min(walk.run(), decoded - placed);
      int from = (int) walk.next();
      for (int i = 0; i < run; i++) {
        offsets[placed++] = from + i;
      }
      walk.skip(run);
    }
  }

  /** Fills {@code kept} with the decoded rows that are selected. */
  private int select(int decoded) {
    if (!isScattered) {
      return rows.offsets(first + start, first + start + decoded, kept);
    }
    int count = 0;
    int at = 0;
    while (at < decoded) {
      int end = at + 1;
      while (end < decoded && offsets[end] == offsets[end - 1] + 1) {
        end++;
      }
      long from = first + offsets[at];
      int found = rows.offsets(from, from + end - at, scratch);
      for (int i = 0; i < found; i++) {
        kept[count++] = at + scratch[i];
      }
      at = end;
    }
    return count;
  }

  @Override
  public ColumnarBatch columns() {
    return output.batch();
  }

  @Override
  public long position(int row) {
    int decoded = isCompacted ? kept[row] : row;
    return first + (isScattered ? offsets[decoded] : start + decoded);
  }

  @Override
  public void close() throws IOException {
    try {
      output.close();
    } finally {
      if (decoder != null) {
        decoder.close();
      }
      file.close();
    }
  }
}
