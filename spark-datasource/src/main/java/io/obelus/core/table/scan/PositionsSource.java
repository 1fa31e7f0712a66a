package io.obelus.core.table.scan;

import io.obelus.core.file.position.RowSelection;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Rows of a data file of which no column is asked for: how many there are, and where, is known from
 * the selection, so that the file is not opened.
 */
final class PositionsSource implements RowSource, LocatedBatch {

  private final RowSelection rows;
  private final String path;
  private final int[] offsets;
  private final ColumnarBatch batch = new ColumnarBatch(new ColumnVector[0]);
  private long start;
  private long next;

  PositionsSource(RowSelection rows, String path, int capacity) {
    this.rows = rows;
    this.path = path;
    this.offsets = new int[capacity];
  }

  @Override
  public LocatedBatch next() {
    while (next < rows.rowCount()) {
      start = next;
      next = Math.min(rows.rowCount(), start + offsets.length);
      int count = rows.offsets(start, next, offsets);
      if (count > 0) {
        batch.setNumRows(count);
        return this;
      }
    }
    return null;
  }

  @Override
  public ColumnarBatch columns() {
    return batch;
  }

  @Override
  public String file(int row) {
    return path;
  }

  @Override
  public long position(int row) {
    return start + offsets[row];
  }

  @Override
  public void close() {}
}
