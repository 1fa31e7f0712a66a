package io.obelus.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.RowType;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.junit.jupiter.api.Test;

class SequenceOrderTest {

  private static final RowType ROW =
      new RowType(
          List.of(
              new Column(0, "k", new ColumnType.Scalar(Kind.INT, 0, 0, false)),
              new Column(1, "a", new ColumnType.Scalar(Kind.INT)),
              new Column(2, "b", new ColumnType.Scalar(Kind.BIGINT))));

  @Test
  void the_first_field_that_differs_decides() {
    SequenceOrder order = order(false);
    assertThat(order.compare(row(1, 9L), row(2, 1L))).isNegative();
    assertThat(order.compare(row(2, 9L), row(2, 1L))).isPositive();
    assertThat(order.compare(row(2, 1L), row(2, 1L))).isZero();
  }

  @Test
  void descending_turns_values_round_but_null_stays_the_oldest() {
    SequenceOrder order = order(true);
    assertThat(order.compare(row(1, 0L), row(2, 0L))).isPositive();
    assertThat(order.compare(row(null, 0L), row(2, 0L))).isNegative();
    assertThat(order.compare(row(2, 0L), row(null, 0L))).isPositive();
    assertThat(order(false).compare(row(null, 0L), row(2, 0L))).isNegative();
  }

  @Test
  void rows_of_two_layouts_are_compared_by_the_same_columns() {
    RowShape whole = new RowShape(ROW, new int[] {0}, new int[] {1, 2}, false);
    RowShape narrow = whole.in(ROW.project(List.of("b", "k", "a")));
    InternalRow left = new GenericInternalRow(new Object[] {7L, 0, 5});
    assertThat(new SequenceOrder(narrow, whole).compare(left, row(5, 6L))).isPositive();
    assertThat(new SequenceOrder(narrow, whole).compare(left, row(5, 7L))).isZero();
  }

  private static SequenceOrder order(boolean descending) {
    RowShape shape = new RowShape(ROW, new int[] {0}, new int[] {1, 2}, descending);
    return new SequenceOrder(shape, shape);
  }

  private static InternalRow row(Integer a, Long b) {
    return new GenericInternalRow(new Object[] {0, a, b});
  }
}
