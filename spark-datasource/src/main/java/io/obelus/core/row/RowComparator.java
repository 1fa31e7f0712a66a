package io.obelus.core.row;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Orders rows by some of their columns, one after another (spec chapter 07). Thread-safe; allocates
 * nothing.
 */
public final class RowComparator implements Comparator<InternalRow> {

  private final ValueOrder[] orders;
  private final int[] left;
  private final int[] right;

  private RowComparator(RowType leftType, int[] left, int[] right) {
    if (left.length != right.length) {
      throw new IllegalArgumentException(
          left.length + " columns cannot be compared with " + right.length);
    }
    this.left = left.clone();
    this.right = right.clone();
    this.orders = new ValueOrder[left.length];
    for (int i = 0; i < orders.length; i++) {
      Column column = leftType.column(left[i]);
      try {
        orders[i] = ValueOrder.of(column.type());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "rows cannot be sorted by column '" + column.name() + "': " + e.getMessage(), e);
      }
    }
  }

  /**
   * Compares columns {@code indexes} of rows of {@code type}, ascending, null first.
   * IllegalArgumentException names a column whose values have no order.
   */
  public static RowComparator of(RowType type, int[] indexes) {
    return new RowComparator(type, indexes, indexes);
  }

  /** All columns of rows of {@code type}: for rows that hold just a key. */
  public static RowComparator of(RowType type) {
    return of(type, IntStream.range(0, type.size()).toArray());
  }

  /**
   * Compares rows of two layouts: column {@code leftIndexes[i]} of left with {@code
   * rightIndexes[i]} of right.
   */
  public static Comparator<InternalRow> across(
      RowType leftType, int[] leftIndexes, int[] rightIndexes) {
    return new RowComparator(leftType, leftIndexes, rightIndexes);
  }

  @Override
  public int compare(InternalRow leftRow, InternalRow rightRow) {
    for (int k = 0; k < orders.length; k++) {
      int order = compare(orders[k], leftRow, left[k], rightRow, right[k]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(
      ValueOrder order, InternalRow leftRow, int i, InternalRow rightRow, int j) {
    boolean leftNull = leftRow.isNullAt(i);
    boolean rightNull = rightRow.isNullAt(j);
    if (leftNull || rightNull) {
      return Boolean.compare(rightNull, leftNull);
    }
    return order.compare(leftRow, i, rightRow, j);
  }
}
