package io.obelus.core.row;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * Which Spark type the values of a column have, and which column type a Spark type makes (spec
 * chapter 15).
 */
public final class SparkTypes {

  private SparkTypes() {}

  /**
   * The row in Spark's terms: names, types, nullability and comments. CHAR(n) and VARCHAR(n) are
   * StringType.
   */
  public static StructType toSpark(RowType type) {
    throw new UnsupportedOperationException("to be written");
  }

  public static DataType toSpark(ColumnType type) {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * The columns that a Spark schema makes, with fresh field ids: a column's id before those of its
   * nested fields, nested rows inside nested rows as in spec chapter 02.
   *
   * @param firstId id of the first column
   */
  public static RowType fromSpark(StructType schema, int firstId) {
    throw new UnsupportedOperationException("to be written");
  }
}
