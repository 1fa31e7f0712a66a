package io.obelus.core.table.snapshot;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Scalar;

/**
 * What is known of the values of one column; null is unknown. An estimate to plan with, never an
 * answer.
 *
 * @param columnId id of the column
 * @param distinctCount number of different values, null not counted
 * @param min smallest value, as Spark holds it in a row; only of numbers, truth values and times
 * @param nullCount number of rows without a value
 * @param averageLength of a value in bytes
 * @param maxLength of a value in bytes
 */
public record ColumnStatistics(
    int columnId,
    Long distinctCount,
    Object min,
    Object max,
    Long nullCount,
    Long averageLength,
    Long maxLength) {

  /** Whether ANALYZE TABLE can be asked about a column: its values have no parts. */
  public static boolean areKeptOf(Column column) {
    return column.type() instanceof Scalar scalar && scalar.kind() != ColumnType.Kind.VARIANT;
  }
}
