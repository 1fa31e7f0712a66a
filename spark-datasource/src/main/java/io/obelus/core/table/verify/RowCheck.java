package io.obelus.core.table.verify;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** One thing that must hold of the rows of a data file. Gets all of them, in order. */
interface RowCheck extends Closeable {

  /**
   * Takes the next rows.
   *
   * @param batch as {@link ReadFile#columns} has them; valid during the call
   * @param first position of its first row
   */
  void rows(ColumnarBatch batch, long first) throws IOException;

  /** Reports what is wrong; all rows have come. */
  void end() throws IOException;

  @Override
  default void close() throws IOException {}
}
