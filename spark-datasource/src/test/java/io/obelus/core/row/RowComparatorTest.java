package io.obelus.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.RandomRows;
import io.obelus.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class RowComparatorTest {

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  private static RowType type(String... types) {
    List<Column> columns = new ArrayList<>();
    for (String type : types) {
      columns.add(new Column(columns.size(), "c" + columns.size(), ColumnTypes.parse(type)));
    }
    return new RowType(columns);
  }

  private static void ascending(String type, Object... values) {
    RowComparator order = RowComparator.of(type(type));
    for (int i = 0; i < values.length; i++) {
      for (int j = 0; j < values.length; j++) {
        assertThat(Integer.signum(order.compare(row(values[i]), row(values[j]))))
            .as("%s: %s with %s", type, values[i], values[j])
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  void values_have_one_order_and_null_is_first() {
    ascending("BIGINT", null, Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE);
    ascending("TINYINT", null, Byte.MIN_VALUE, (byte) 0, Byte.MAX_VALUE);
    ascending("BOOLEAN", null, false, true);
    ascending(
        "STRING",
        null,
        UTF8String.fromString(""),
        UTF8String.fromString("a"),
        UTF8String.fromString("ab"),
        UTF8String.fromString("b"),
        UTF8String.fromString("é"),
        UTF8String.fromString("😀"));
    ascending("BYTES", null, new byte[0], new byte[] {1}, new byte[] {1, 0}, new byte[] {-1});
    ascending(
        "DOUBLE", null, Double.NEGATIVE_INFINITY, -1.0, 0.0, Double.POSITIVE_INFINITY, Double.NaN);
    ascending("FLOAT", null, -1f, 0f, Float.NaN);
    assertThat(RowComparator.of(type("DOUBLE")).compare(row(-0.0), row(0.0))).isZero();
  }

  @Test
  void columns_count_one_after_another() {
    RowComparator order = RowComparator.of(type("INT", "INT", "INT"), new int[] {2, 0});
    assertThat(order.compare(row(1, 9, 5), row(2, 0, 5))).isNegative();
    assertThat(order.compare(row(1, 9, 6), row(2, 0, 5))).isPositive();
    assertThat(order.compare(row(1, 9, 5), row(1, 0, 5))).isZero();
  }

  @Test
  void rows_of_two_layouts_are_compared_column_by_column() {
    Comparator<InternalRow> order =
        RowComparator.across(type("INT", "STRING"), new int[] {0}, new int[] {1});
    assertThat(order.compare(row(5, null), row(null, 4))).isPositive();
    assertThat(order.compare(row(null, null), row(4, 4))).isNegative();
  }

  @Test
  void every_type_is_ordered_as_spark_orders_it_in_every_kind_of_row() {
    Seeds.each(
        random -> {
          ColumnType type = RandomRows.scalar(random);
          RowType rowType = new RowType(List.of(new Column(0, "c", type)));
          RowComparator order = RowComparator.of(rowType);
          var spark = TypeUtils.getInterpretedOrdering(SparkTypes.toSpark(type));
          ValueOrder values = ValueOrder.of(type);
          UnsafeProjection unsafe = UnsafeProjection.create(rowType.toSpark());
          for (int i = 0; i < 200; i++) {
            Object left = RandomRows.value(random, type);
            Object right = random.nextInt(5) == 0 ? left : RandomRows.value(random, type);
            int expected = Integer.signum(spark.compare(left, right));
            assertThat(Integer.signum(order.compare(row(left), row(right)))).isEqualTo(expected);
            assertThat(Integer.signum(values.compare(left, right))).isEqualTo(expected);
            InternalRow unsafeLeft = unsafe.apply(row(left)).copy();
            assertThat(Integer.signum(order.compare(unsafeLeft, unsafe.apply(row(right)))))
                .isEqualTo(expected);
          }
        });
  }

  @Test
  void values_with_parts_have_no_order() {
    RowType arrays =
        new RowType(
            List.of(new Column(0, "a", new ColumnType.Array(ColumnTypes.parse("INT"), true))));
    assertThatThrownBy(() -> RowComparator.of(arrays))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rows cannot be sorted by column 'a': values of type ARRAY<INT> have no order");
  }

  @Test
  void a_projected_row_shows_the_columns_below_and_copies_them() {
    Seeds.each(
        random -> {
          RowType type = RandomRows.type(random, 6);
          int[] columns = random.ints(4, 0, 6).distinct().toArray();
          RowType projected = new RowType(IntStream.of(columns).mapToObj(type::column).toList());
          ProjectedRow view = new ProjectedRow(type, columns);
          BinaryRows rows = new BinaryRows(projected);
          InternalRow row = RandomRows.row(random, type);
          Object[] values = new Object[columns.length];
          for (int i = 0; i < values.length; i++) {
            values[i] = row.get(columns[i], SparkTypes.toSpark(projected.column(i).type()));
          }
          byte[] expected = rows.write(row(values));
          InternalRow copy = view.over(row).copy();
          assertThat(rows.write(view)).isEqualTo(expected);
          view.over(RandomRows.row(random, type));
          assertThat(rows.write(copy)).isEqualTo(expected);
        });
  }
}
