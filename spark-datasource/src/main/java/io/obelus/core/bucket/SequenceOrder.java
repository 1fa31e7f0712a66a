package io.obelus.core.bucket;

import io.obelus.core.row.RowComparator;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Which of two rows of a key is newer by the {@code sequence.field} columns (spec chapter 07). Null
 * is the oldest, also where the smaller value is the newer one.
 */
final class SequenceOrder {

  private final int[] left;
  private final int[] right;
  private final boolean descending;
  private final Comparator<InternalRow>[] columns;

  /** Compares rows of {@code left} with rows of {@code right}: two layouts of one table. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of one generic type
  SequenceOrder(RowShape left, RowShape right) {
    this.left = left.sequence();
    this.right = right.sequence();
    this.descending = left.sequenceDescending();
    this.columns = new Comparator[this.left.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] =
          RowComparator.across(left.row(), new int[] {this.left[i]}, new int[] {this.right[i]});
    }
  }

  /** Below 0 if {@code a} is the older row, 0 if the fields do not decide. */
  int compare(InternalRow a, InternalRow b) {
    for (int i = 0; i < columns.length; i++) {
      int order = columns[i].compare(a, b);
      if (order != 0) {
        boolean withNull = a.isNullAt(left[i]) || b.isNullAt(right[i]);
        return descending && !withNull ? -order : order;
      }
    }
    return 0;
  }
}
