package io.obelus.core.table.scan;

import io.obelus.core.row.RowKind;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** Walks the rows of a {@link Difference}. Not thread-safe. */
interface ChangedRows extends Closeable {

  /** Moves to the next row; false at the end. */
  boolean next() throws IOException;

  /**
   * The current row: the table's columns, perhaps others behind them; valid until the next move.
   */
  InternalRow row();

  /** What became of it. */
  RowKind kind();
}
