package io.obelus.core.table.scan;

import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Rows of a split as columns, each knowing where it is stored. Reused by its source. */
interface LocatedBatch {

  /** The columns read from files. */
  ColumnarBatch columns();

  /** Path of the data file of row {@code row}. */
  String file(int row);

  /** Position of row {@code row} in its file. */
  long position(int row);
}
