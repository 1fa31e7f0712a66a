package io.obelus.core.file.data;

import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.RowType;
import java.io.Closeable;
import java.io.IOException;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Decodes rows of a file of which its user says, range by range, where they are; hands out those
 * that are selected. The batch is this object itself: one for all batches.
 */
final class SelectedBatches implements PositionedBatch, Closeable {

  private final OpenFile file;
  private final int capacity;
  private final SparkParquetReader decoder; // null if no column is decoded
  private final Int96Times times; // null if no column needs them
  private final Output output;
  private final MessageType requested;

  private RowSelection rows;
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

  /**
   * @param columns what to return of the request's file
   */
  SelectedBatches(
      OpenFile file, DataFiles.Request request, RowType columns, DataFiles.BatchSettings batches)
      throws IOException {
    this.file = file;
    this.capacity = batches.capacity();
    this.kept = new int[capacity];
    this.scratch = new int[capacity];
    ReadColumns sources =
        new ReadColumns(file.path(), file.schema(), request.fileColumns(), columns);
    this.requested = sources.requested();
    WritableColumnVector[] decoded = new WritableColumnVector[requested.getFieldCount()];
    if (decoded.length == 0) {
      this.decoder = null;
    } else {
      this.decoder = new SparkParquetReader(file.pages(), requested, sources.types(), batches);
      for (int i = 0; i < decoded.length; i++) {
        decoded[i] = decoder.vector(i);
      }
    }
    this.times = Int96Times.of(file, requested, decoded);
    this.output = new Output(sources.sources(), columns, decoded, batches);
  }

  /** The columns of the file that are decoded. */
  MessageType requested() {
    return requested;
  }

  /**
   * Reads pages of a row group; the rows begun before must have been used up.
   *
   * @param index of the row group
   * @param selection the rows to hand out of those decoded
   * @param ranges its rows to decode; null = all
   * @return whether all of them are decoded, which may be so although ranges were given
   */
  boolean begin(int index, RowSelection selection, RowRanges ranges) throws IOException {
    rows = selection;
    BlockMetaData block = file.blocks().get(index);
    first = block.getRowIndexOffset();
    boolean whole = ranges == null || ranges.rowCount() == block.getRowCount();
    RowRanges decoded = whole ? null : ranges;
    if (decoder != null) {
      decoded = feed(block, decoded);
    }
    walk = new Ranges.Walk(decoded == null ? RowRanges.createSingle(block.getRowCount()) : decoded);
    left = decoded == null ? block.getRowCount() : decoded.rowCount();
    return decoded == null;
  }

  /** Has the pages read; returns the rows that they hold, null = all. */
  private RowRanges feed(BlockMetaData block, RowRanges ranges) throws IOException {
    if (times != null) {
      times.begin(block);
    }
    RowGroupPages pages =
        ranges == null
            ? RowGroupPages.all(file, block, requested)
            : RowGroupPages.some(file, block, requested, ranges);
    decoder.feed(pages);
    if (pages.isAll()) {
      file.counter().all(block, requested);
      return null;
    }
    pages.wanted().forEach(file.counter()::some);
    return ranges;
  }

  /** Decodes the next batch that has a selected row; false if what was begun is used up. */
  boolean next() throws IOException {
    while (left > 0) {
      int decoded = decoder == null ? (int) Math.min(capacity, left) : decoder.decode();
      left -= decoded;
      place(decoded);
      correctTimes(decoded);
      int count = rows.isAll() ? decoded : select(decoded);
      if (count > 0) {
        isCompacted = count < decoded;
        if (isCompacted) {
          output.some(kept, count);
        } else {
          output.all(decoded);
        }
        return true;
      }
    }
    return false;
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

  private void correctTimes(int decoded) {
    if (times != null) {
      for (int row = 0; row < decoded; row++) {
        times.correct(row, isScattered ? offsets[row] : start + row);
      }
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
    }
  }
}
