package io.obelus.core.file.data;

import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Rows of a data file as columns, each knowing its position in the file. Reused by its reader. */
public interface PositionedBatch {

  /** The columns asked for, in that order; {@code columns().numRows()} rows. */
  ColumnarBatch columns();

  /** Position in the data file of row {@code row} of this batch. */
  long position(int row);
}
