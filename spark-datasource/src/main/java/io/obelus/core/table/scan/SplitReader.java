package io.obelus.core.table.scan;

import io.obelus.core.file.data.DataFiles;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads the live rows of one split as column batches. Not thread-safe. */
public final class SplitReader implements Closeable {

  /**
   * @param columns columns of the table and of {@link MetadataColumns} to return, in this order;
   *     may be empty
   * @param condition as given to the plan
   */
  public SplitReader(
      Table table,
      RowType columns,
      Predicate condition,
      DataFiles.BatchSettings batches,
      Split split) {
    throw new UnsupportedOperationException("to be written");
  }

  /** The next batch with at least one row, or null at the end; valid until the next call. */
  public ColumnarBatch next() throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** Rows struck out by bitmaps so far. */
  public long rowsStruckOut() {
    throw new UnsupportedOperationException("to be written");
  }

  @Override
  public void close() throws IOException {}
}
