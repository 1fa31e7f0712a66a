package io.obelus.core.table.verify;

import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Statistics of some columns, to hold rows against. A bound that is null or NaN says nothing, and
 * NaN is outside of no bounds.
 */
final class Statistics {

  private final RowType columns;
  private final int[] inRow;
  private final InternalRow min;
  private final InternalRow max;
  private final Comparator<InternalRow>[] orders;
  private final Long[] nullCounts;

  /**
   * @param columns that the statistics are about
   * @param inRow where these columns are in the rows that are held against them
   * @throws IllegalArgumentException if they are of another number of columns
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of one generic type
  Statistics(RowType columns, int[] inRow, ColumnStats stats) {
    this.columns =
        new RowType(
            columns.columns().stream().map(c -> c.typed(c.type().withNullable(true))).toList());
    this.inRow = inRow;
    this.min = decode(stats.min());
    this.max = decode(stats.max());
    this.nullCounts = stats.nullCounts();
    this.orders = new Comparator[columns.size()];
    if (nullCounts.length != 0 && nullCounts.length != columns.size()) {
      throw new IllegalArgumentException(
          "statistics should have %d null counts but have %d"
              .formatted(columns.size(), nullCounts.length));
    }
    for (int i = 0; i < orders.length; i++) {
      if (!min.isNullAt(i) || !max.isNullAt(i)) {
        orders[i] = RowComparator.across(this.columns, new int[] {i}, new int[] {inRow[i]});
      }
    }
  }

  /** In the rows of their own columns. */
  static Statistics of(RowType columns, ColumnStats stats) {
    return new Statistics(columns, IntStream.range(0, columns.size()).toArray(), stats);
  }

  private InternalRow decode(RowBytes bytes) {
    return bytes.equals(RowBytes.EMPTY)
        ? new GenericInternalRow(columns.size()) // all null: nothing is known
        : new BinaryRows(columns).read(bytes.bytes());
  }

  int size() {
    return columns.size();
  }

  String name(int column) {
    return columns.column(column).name();
  }

  /** Null if unknown. */
  Long nullCount(int column) {
    return nullCounts.length == 0 ? null : nullCounts[column];
  }

  boolean isNull(int column, InternalRow row) {
    return row.isNullAt(inRow[column]);
  }

  /** Whether the value of a column is below its smallest or above its largest. */
  boolean isOutside(int column, InternalRow row) {
    if (orders[column] == null || isNull(column, row) || isNan(column, row, inRow[column])) {
      return false;
    }
    return isBound(column, min) && orders[column].compare(min, row) > 0
        || isBound(column, max) && orders[column].compare(max, row) < 0;
  }

  private boolean isBound(int column, InternalRow bounds) {
    return !bounds.isNullAt(column) && !isNan(column, bounds, column);
  }

  private boolean isNan(int column, InternalRow row, int ordinal) {
    Kind kind =
        columns.column(column).type() instanceof ColumnType.Scalar scalar ? scalar.kind() : null;
    return (kind == Kind.DOUBLE && Double.isNaN(row.getDouble(ordinal)))
        || (kind == Kind.FLOAT && Float.isNaN(row.getFloat(ordinal)));
  }

  /** The bounds of a column, for people. */
  String bounds(int column) {
    return "[%s, %s]"
        .formatted(Values.text(min, columns, column), Values.text(max, columns, column));
  }

  /** The value of a column, for people. */
  String value(int column, InternalRow row) {
    return Values.text(row, columns.column(column).type(), inRow[column]);
  }
}
