package io.obelus.core.row;

import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Orders rows by some of their columns, one after another (spec chapter 07). Thread-safe; allocates
 * nothing.
 */
public final class RowComparator implements Comparator<InternalRow> {

  /** Compares columns {@code indexes} of rows of {@code type}, ascending, null first. */
  public static RowComparator of(RowType type, int[] indexes) {
    throw new UnsupportedOperationException("to be written");
  }

  /** All columns of rows of {@code type}: for rows that hold just a key. */
  public static RowComparator of(RowType type) {
    throw new UnsupportedOperationException("to be written");
  }

  @Override
  public int compare(InternalRow left, InternalRow right) {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Compares rows of two layouts: column {@code leftIndexes[i]} of left with {@code
   * rightIndexes[i]} of right.
   */
  public static Comparator<InternalRow> across(
      RowType leftType, int[] leftIndexes, int[] rightIndexes) {
    throw new UnsupportedOperationException("to be written");
  }
}
