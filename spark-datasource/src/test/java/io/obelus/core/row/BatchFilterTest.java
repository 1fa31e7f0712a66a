package io.obelus.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.data.BatchBuilder;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;

class BatchFilterTest {

  private static final RowType TYPE = RandomPredicates.TYPE;
  private static final int CAPACITY = 100;

  @Test
  void a_batch_is_filtered_as_its_rows_are() {
    Seeds.each(
        random -> {
          try (BatchBuilder builder = new BatchBuilder(TYPE, CAPACITY)) {
            List<InternalRow> rows = fill(builder, random);
            ColumnarBatch batch = builder.batch();
            for (int i = 0; i < 100; i++) {
              Predicate condition = RandomPredicates.predicate(random, TYPE, 3);
              assertThat(kept(condition, batch, rows.size()))
                  .as("%s", condition)
                  .isEqualTo(tested(condition, rows));
            }
          }
        });
  }

  @Test
  void a_filter_is_used_for_one_batch_after_another() {
    Seeds.each(
        random -> {
          Predicate condition = RandomPredicates.predicate(random, TYPE, 4);
          BatchFilter filter = BatchFilter.of(condition, TYPE);
          for (int i = 0; i < 5; i++) {
            try (BatchBuilder builder = new BatchBuilder(TYPE, CAPACITY)) {
              List<InternalRow> rows = fill(builder, random);
              int[] kept = all(rows.size());
              int count = filter.keep(builder.batch(), kept, kept.length);
              assertThat(Arrays.stream(kept, 0, count).boxed().toList())
                  .as("%s", condition)
                  .isEqualTo(tested(condition, rows));
            }
          }
        });
  }

  @Test
  void a_decimal_is_compared_with_one_of_another_scale() {
    Column column = new Column(0, "d", ColumnTypes.parse("DECIMAL(10, 2)"));
    RowType type = new RowType(List.of(column));
    try (BatchBuilder builder = new BatchBuilder(type, CAPACITY)) {
      builder.reset();
      for (String text : List.of("1.50", "1.51", "1.49")) {
        Decimal value = Decimal.apply(new java.math.BigDecimal(text), 10, 2);
        builder.add(
            new org.apache.spark.sql.catalyst.expressions.GenericInternalRow(new Object[] {value}));
      }
      Decimal literal = Decimal.apply(new java.math.BigDecimal("1.5"), 2, 1);
      Predicate equal = new Predicate.Compare(column, Predicate.Comparison.EQUAL, literal);
      int[] rows = all(3);
      assertThat(BatchFilter.of(equal, type).keep(builder.batch(), rows, 3)).isEqualTo(1);
      assertThat(rows[0]).isZero();
    }
  }

  @Test
  void a_column_that_the_batch_lacks_is_named() {
    Predicate condition =
        new Predicate.IsNull(new Column(99, "elsewhere", ColumnTypes.parse("INT")));
    assertThatThrownBy(() -> BatchFilter.of(condition, TYPE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("column 'elsewhere' is not there; the columns are [");
  }

  private static List<InternalRow> fill(BatchBuilder builder, Random random) {
    builder.reset();
    List<InternalRow> rows = new ArrayList<>();
    for (int i = random.nextInt(CAPACITY + 1); i > 0; i--) {
      InternalRow row = RandomPredicates.row(random, TYPE, 5);
      rows.add(row);
      builder.add(row);
    }
    return rows;
  }

  private static int[] all(int count) {
    int[] rows = new int[count];
    Arrays.setAll(rows, i -> i);
    return rows;
  }

  private static List<Integer> kept(Predicate condition, ColumnarBatch batch, int count) {
    int[] rows = all(count);
    int kept = BatchFilter.of(condition, TYPE).keep(batch, rows, count);
    return Arrays.stream(rows, 0, kept).boxed().toList();
  }

  private static List<Integer> tested(Predicate condition, List<InternalRow> rows) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (Predicates.test(condition, rows.get(i), TYPE) == Truth.TRUE) {
        found.add(i);
      }
    }
    return found;
  }
}
