package io.obelus.core.row;

import static io.obelus.testing.RandomPredicates.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.row.BucketFunction.Type;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.In;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.Seeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.junit.jupiter.api.Test;

class BucketFilterTest {

  private static final Column A = new Column(1, "a", ColumnTypes.parse("INT"));
  private static final Column B = new Column(2, "b", ColumnTypes.parse("INT"));
  private static final Column C = new Column(3, "c", ColumnTypes.parse("INT"));
  private static final RowType A_B = new RowType(List.of(A, B));

  private static Predicate equal(Column column, Object literal) {
    return new Compare(column, Comparison.EQUAL, literal);
  }

  private static long possible(RowType key, Predicate condition, int total) {
    BucketFilter filter = BucketFilter.of(Type.DEFAULT, key, condition);
    return IntStream.range(0, total).filter(bucket -> filter.mayHold(bucket, total)).count();
  }

  @Test
  void a_condition_that_pins_the_key_leaves_its_bucket() {
    Predicate pinned = Predicates.and(equal(B, 2), equal(A, 1), equal(C, 3));
    assertThat(possible(A_B, pinned, 1000)).isEqualTo(1);
    assertThat(possible(A_B, equal(A, 1), 1000)).isEqualTo(1000);
    assertThat(possible(A_B, Predicates.and(equal(A, 1), new In(B, List.of(1, 2, 3))), 1000))
        .isBetween(2L, 3L);
    assertThat(possible(A_B, Predicates.and(pinned, equal(A, 7)), 1000)).isZero();
    Predicate either = Predicates.or(equal(A, 1), Predicates.and(equal(A, 2), equal(C, 5)));
    assertThat(possible(A_B, Predicates.and(either, equal(B, 1)), 1000)).isEqualTo(2);
    assertThat(possible(A_B, Predicates.not(pinned), 1000)).isEqualTo(1000);
  }

  @Test
  void buckets_that_are_not_spread_by_hash_hold_anything() {
    BucketFilter filter =
        BucketFilter.of(Type.DEFAULT, A_B, Predicates.and(equal(A, 1), equal(B, 2)));
    assertThat(filter.mayHold(0, -1)).isTrue();
    assertThat(filter.mayHold(-2, -2)).isTrue();
  }

  @Test
  void mod_buckets_are_pruned_by_their_own_function() {
    BucketFilter filter =
        BucketFilter.of(Type.MOD, new RowType(List.of(A)), new In(A, List.of(-3, 7)));
    assertThat(IntStream.range(0, 5).filter(bucket -> filter.mayHold(bucket, 5)))
        .containsExactly(2);
  }

  @Test
  void too_many_keys_are_not_counted_out() {
    List<Object> many = new ArrayList<>(IntStream.range(0, 101).boxed().toList());
    Predicate condition = Predicates.and(new In(A, many), new In(B, many));
    assertThat(possible(A_B, condition, 100_000)).isEqualTo(100_000);
    assertThat(possible(A_B, Predicates.and(new In(A, many), equal(B, 1)), 100_000))
        .isBetween(90L, 101L);
  }

  @Test
  void values_that_are_equal_but_hash_otherwise_are_not_pruned() {
    Column real = new Column(1, "d", ColumnTypes.parse("DOUBLE"));
    assertThat(possible(new RowType(List.of(real)), equal(real, 0.0), 100)).isEqualTo(100);
    Column nanos = new Column(1, "t", ColumnTypes.parse("TIMESTAMP(9)"));
    assertThat(possible(new RowType(List.of(nanos)), equal(nanos, 0L), 100)).isEqualTo(100);
  }

  @Test
  void a_decimal_that_the_column_cannot_hold_is_in_no_bucket() {
    for (String type : List.of("DECIMAL(10, 2)", "DECIMAL(30, 2)")) {
      Column price = new Column(1, "p", ColumnTypes.parse(type));
      RowType key = new RowType(List.of(price));
      Decimal tooFine = Decimal.apply(new BigDecimal("1.234"), 38, 3);
      Decimal longer = Decimal.apply(new BigDecimal("1.2300"), 38, 4);
      Decimal tooLarge = Decimal.apply(BigDecimal.TEN.pow(29), 38, 0);
      assertThat(possible(key, equal(price, tooFine), 100)).isZero();
      assertThat(possible(key, equal(price, tooLarge), 100)).isZero();
      assertThat(possible(key, equal(price, longer), 100)).isEqualTo(1);
    }
  }

  @Test
  void zero_is_in_a_bucket_of_decimals_below_one() {
    for (int digits : List.of(3, 18, 19, 38)) {
      Column share =
          new Column(1, "s", ColumnTypes.parse("DECIMAL(%d, %d)".formatted(digits, digits)));
      RowType key = new RowType(List.of(share));
      BucketFunction function =
          new BucketFunction(Type.DEFAULT, key, key.indexesOf(List.of("s")), 100);
      Decimal stored = Decimal.apply(BigDecimal.ZERO.setScale(digits), digits, digits);
      int bucket = function.bucket(new GenericInternalRow(new Object[] {stored}));
      for (Decimal zero : List.of(Decimal.apply(0), stored)) {
        BucketFilter filter = BucketFilter.of(Type.DEFAULT, key, equal(share, zero));
        assertThat(filter.mayHold(bucket, 100)).isTrue();
        assertThat(possible(key, equal(share, zero), 100)).isEqualTo(1);
      }
      assertThat(possible(key, equal(share, Decimal.apply(1)), 100)).isZero();
    }
  }

  @Test
  void no_bucket_of_a_matching_row_is_pruned() {
    Seeds.each(
        random -> {
          for (int i = 0; i < 200; i++) {
            List<String> names = new ArrayList<>(TYPE.names());
            Collections.shuffle(names, random);
            RowType key = TYPE.project(names.subList(0, 1 + random.nextInt(2)));
            int total = 1 + random.nextInt(50);
            BucketFunction function =
                new BucketFunction(Type.DEFAULT, TYPE, TYPE.indexesOf(key.names()), total);
            List<Predicate> parts = new ArrayList<>();
            parts.add(RandomPredicates.predicate(random, TYPE, 2));
            for (Column column : key.columns()) {
              if (random.nextInt(5) > 0) {
                parts.add(equal(column, RandomPredicates.value(random, column.type())));
              }
            }
            Predicate condition = new Predicate.And(parts);
            BucketFilter filter = BucketFilter.of(Type.DEFAULT, key, condition);
            for (int j = 0; j < 50; j++) {
              InternalRow row = RandomPredicates.row(random, TYPE, 10);
              if (Predicates.test(condition, row, TYPE) == Truth.TRUE) {
                assertThat(filter.mayHold(function.bucket(row), total))
                    .as("%s", condition)
                    .isTrue();
              }
            }
          }
        });
  }
}
