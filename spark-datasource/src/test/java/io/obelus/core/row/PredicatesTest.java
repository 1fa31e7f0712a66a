package io.obelus.core.row;

import static io.obelus.testing.RandomPredicates.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.row.Predicate.And;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.Constant;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.core.row.Predicate.Not;
import io.obelus.core.row.Predicate.Or;
import io.obelus.core.row.Predicate.StartsWith;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class PredicatesTest {

  private static final Column INT = new Column(1, "i", ColumnTypes.parse("INT"));
  private static final Column LONG = new Column(2, "l", ColumnTypes.parse("BIGINT"));
  private static final Column TEXT = new Column(3, "t", ColumnTypes.parse("STRING"));
  private static final Column REAL = new Column(4, "d", ColumnTypes.parse("DOUBLE"));
  private static final RowType ROW = new RowType(List.of(INT, LONG, TEXT, REAL));

  private static Predicate equal(Column column, Object literal) {
    return new Compare(column, Comparison.EQUAL, literal);
  }

  private static Predicate compare(Column column, Comparison comparison, Object literal) {
    return new Compare(column, comparison, literal);
  }

  private static UTF8String text(String text) {
    return UTF8String.fromString(text);
  }

  // ---- rows

  @Test
  void null_is_unknown_and_stays_so_below_not() {
    InternalRow row = new GenericInternalRow(new Object[] {null, 5L, null, Double.NaN});
    Predicate unknown = equal(INT, 1);
    assertThat(Predicates.test(unknown, row, ROW)).isEqualTo(Truth.UNKNOWN);
    assertThat(Predicates.test(new Not(unknown), row, ROW)).isEqualTo(Truth.UNKNOWN);
    assertThat(Predicates.test(new In(INT, List.of()), row, ROW)).isEqualTo(Truth.UNKNOWN);
    assertThat(Predicates.test(new StartsWith(TEXT, text("")), row, ROW)).isEqualTo(Truth.UNKNOWN);
    assertThat(Predicates.test(new IsNull(INT), row, ROW)).isEqualTo(Truth.TRUE);
    Predicate yes = equal(LONG, 5L);
    Predicate no = equal(LONG, 6L);
    assertThat(Predicates.test(new And(List.of(unknown, no)), row, ROW)).isEqualTo(Truth.FALSE);
    assertThat(Predicates.test(new And(List.of(unknown, yes)), row, ROW)).isEqualTo(Truth.UNKNOWN);
    assertThat(Predicates.test(new Or(List.of(unknown, yes)), row, ROW)).isEqualTo(Truth.TRUE);
    assertThat(Predicates.test(new Or(List.of(unknown, no)), row, ROW)).isEqualTo(Truth.UNKNOWN);
    assertThat(Predicates.test(equal(REAL, Double.NaN), row, ROW)).isEqualTo(Truth.TRUE);
    assertThat(Predicates.test(compare(REAL, Comparison.GREATER, 1e300), row, ROW))
        .isEqualTo(Truth.TRUE);
  }

  @Test
  void a_column_that_is_not_there_is_named() {
    assertThatThrownBy(
            () ->
                Predicates.test(
                    new IsNull(new Column(9, "gone", INT.type())), new GenericInternalRow(4), ROW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column 'gone' is not there; the columns are [i, l, t, d]");
  }

  @Test
  void spark_says_the_same_of_each_row() {
    Seeds.each(
        random -> {
          for (int i = 0; i < 200; i++) {
            Predicate predicate = RandomPredicates.predicate(random, TYPE, 4);
            Expression spark = spark(predicate);
            for (int j = 0; j < 10; j++) {
              InternalRow row = RandomPredicates.row(random, TYPE, 4);
              Object said = spark.eval(row);
              assertThat(Predicates.test(predicate, row, TYPE))
                  .as("%s of %s", predicate, row)
                  .isEqualTo(said == null ? Truth.UNKNOWN : Truth.of((Boolean) said));
            }
          }
        });
  }

  private static Expression spark(Predicate predicate) {
    if (predicate instanceof Constant constant) {
      return new Literal(constant.value(), DataTypes.BooleanType);
    } else if (predicate instanceof Not not) {
      return new org.apache.spark.sql.catalyst.expressions.Not(spark(not.part()));
    } else if (predicate instanceof And and) {
      return and.parts().stream()
          .map(PredicatesTest::spark)
          .reduce(org.apache.spark.sql.catalyst.expressions.And::new)
          .orElse(new Literal(true, DataTypes.BooleanType));
    } else if (predicate instanceof Or or) {
      return or.parts().stream()
          .map(PredicatesTest::spark)
          .reduce(org.apache.spark.sql.catalyst.expressions.Or::new)
          .orElse(new Literal(false, DataTypes.BooleanType));
    }
    Column column = Predicates.column(predicate);
    DataType type = SparkTypes.toSpark(column.type());
    Expression value = new BoundReference(TYPE.indexOf(column.name()), type, true);
    if (predicate instanceof IsNull) {
      return new org.apache.spark.sql.catalyst.expressions.IsNull(value);
    } else if (predicate instanceof StartsWith startsWith) {
      return new org.apache.spark.sql.catalyst.expressions.StartsWith(
          value, new Literal(startsWith.prefix(), type));
    } else if (predicate instanceof In in) {
      // Unknown of null even without literals.
      Expression none = new LessThan(value, value);
      return in.literals().stream()
          .map(literal -> (Expression) new EqualTo(value, new Literal(literal, type)))
          .reduce(none, org.apache.spark.sql.catalyst.expressions.Or::new);
    }
    Compare compare = (Compare) predicate;
    Expression literal = new Literal(compare.literal(), type);
    return switch (compare.comparison()) {
      case EQUAL -> new EqualTo(value, literal);
      case NOT_EQUAL ->
          new org.apache.spark.sql.catalyst.expressions.Not(new EqualTo(value, literal));
      case LESS -> new LessThan(value, literal);
      case LESS_OR_EQUAL -> new LessThanOrEqual(value, literal);
      case GREATER -> new GreaterThan(value, literal);
      case GREATER_OR_EQUAL -> new GreaterThanOrEqual(value, literal);
    };
  }

  // ---- bounds

  /** Bounds of one column, the same for every column asked for. */
  private record OneColumn(Object min, Object max, long nullCount, long rowCount)
      implements Bounds {
    @Override
    public Object min(Column column) {
      return min;
    }

    @Override
    public Object max(Column column) {
      return max;
    }

    @Override
    public long nullCount(Column column) {
      return nullCount;
    }
  }

  private static boolean may(Predicate predicate, Object min, Object max, long nulls, long rows) {
    return Predicates.mayMatch(predicate, new OneColumn(min, max, nulls, rows));
  }

  @Test
  void a_literal_outside_of_the_bounds_excludes_the_rows() {
    Comparison[] all = Comparison.values();
    boolean[][] expected = { // =, <>, <, <=, >, >= with bounds 10 and 20
      {false, true, false, false, true, true}, // 9
      {true, true, false, true, true, true}, // 10
      {true, true, true, true, true, true}, // 15
      {true, true, true, true, false, true}, // 20
      {false, true, true, true, false, false}, // 21
    };
    int[] literals = {9, 10, 15, 20, 21};
    for (int i = 0; i < literals.length; i++) {
      for (int j = 0; j < all.length; j++) {
        Predicate predicate = compare(INT, all[j], literals[i]);
        assertThat(may(predicate, 10, 20, 0, 5)).as("%s", predicate).isEqualTo(expected[i][j]);
        assertThat(may(predicate, null, null, -1, -1)).isTrue();
        assertThat(may(predicate, null, null, 5, 5)).isFalse();
      }
    }
  }

  @Test
  void bounds_of_one_value_exclude_its_negations() {
    Predicate five = equal(INT, 5);
    assertThat(may(new Not(five), 5, 5, 0, 9)).isFalse();
    assertThat(may(new Not(five), 5, 5, 3, 9)).isFalse(); // the others are unknown
    assertThat(may(new Not(five), 5, 6, 0, 9)).isTrue();
    assertThat(may(compare(INT, Comparison.NOT_EQUAL, 5), 5, 5, 0, 9)).isFalse();
    assertThat(may(new Not(new In(INT, List.<Object>of(4, 5))), 5, 5, 0, 9)).isFalse();
    assertThat(may(new Not(new In(INT, List.<Object>of(4, 6))), 5, 5, 0, 9)).isTrue();
    assertThat(may(new In(INT, List.<Object>of(4, 6)), 5, 5, 0, 9)).isFalse();
    assertThat(may(new Not(new Not(compare(INT, Comparison.LESS, 5))), 5, 9, 0, 9)).isFalse();
  }

  @Test
  void null_counts_answer_is_null() {
    assertThat(may(new IsNull(INT), 1, 2, 0, 9)).isFalse();
    assertThat(may(new IsNull(INT), 1, 2, 1, 9)).isTrue();
    assertThat(may(new IsNull(INT), 1, 2, -1, 9)).isTrue();
    assertThat(may(new Not(new IsNull(INT)), null, null, 9, 9)).isFalse();
    assertThat(may(new Not(new IsNull(INT)), null, null, 8, 9)).isTrue();
    assertThat(may(new Not(equal(INT, 1)), null, null, 9, 9)).isFalse();
    assertThat(may(Predicate.ALWAYS, null, null, 0, 0)).isFalse(); // no row at all
    assertThat(may(new Constant(false), 1, 2, 0, 9)).isFalse();
  }

  @Test
  void a_prefix_is_sought_between_cut_bounds() {
    assertThat(may(new StartsWith(TEXT, text("abc")), text("ab"), text("ac"), 0, 9)).isTrue();
    assertThat(may(new StartsWith(TEXT, text("abc")), text("abca"), text("abcz"), 0, 9)).isTrue();
    assertThat(may(new StartsWith(TEXT, text("abc")), text("abd"), text("ac"), 0, 9)).isFalse();
    assertThat(may(new StartsWith(TEXT, text("abc")), text("a"), text("abb"), 0, 9)).isFalse();
    assertThat(may(new StartsWith(TEXT, text("abc")), null, text("abb"), 0, 9)).isFalse();
    Predicate otherwise = new Not(new StartsWith(TEXT, text("ab")));
    assertThat(may(otherwise, text("aba"), text("abz"), 0, 9)).isFalse();
    assertThat(may(otherwise, text("aba"), text("ac"), 0, 9)).isTrue();
    assertThat(may(new Not(new StartsWith(TEXT, text(""))), null, null, 0, 9)).isFalse();
  }

  @Test
  void nan_may_be_above_the_upper_bound() {
    assertThat(may(compare(REAL, Comparison.GREATER, 5.0), 0.0, 1.0, 0, 9)).isTrue();
    assertThat(may(equal(REAL, Double.NaN), 0.0, 1.0, 0, 9)).isTrue();
    assertThat(may(equal(REAL, 5.0), 0.0, 1.0, 0, 9)).isFalse();
    assertThat(may(compare(REAL, Comparison.LESS, 0.0), 0.0, 1.0, 0, 9)).isFalse();
    assertThat(may(equal(REAL, -0.0), 0.0, 1.0, 0, 9)).isTrue();
    assertThat(may(new Not(equal(REAL, 1.0)), 1.0, 1.0, 0, 9)).isTrue();
    assertThat(may(new Not(compare(REAL, Comparison.LESS, 5.0)), 0.0, 1.0, 0, 9)).isTrue();
    assertThat(may(compare(REAL, Comparison.GREATER, Double.NaN), 0.0, 1.0, 0, 9)).isFalse();
    assertThat(may(equal(REAL, 5.0), Double.NaN, Double.NaN, 0, 9)).isTrue();
  }

  @Test
  void bounds_never_exclude_a_row_that_matches() {
    Seeds.each(
        random -> {
          for (int i = 0; i < 500; i++) {
            List<InternalRow> rows = new ArrayList<>();
            int nullEvery = 1 + random.nextInt(5);
            for (int n = random.nextInt(4); n > 0; n--) {
              rows.add(RandomPredicates.row(random, TYPE, nullEvery));
            }
            Bounds bounds = loosened(random, rows);
            for (int j = 0; j < 5; j++) {
              Predicate predicate = RandomPredicates.predicate(random, TYPE, 3);
              if (!Predicates.mayMatch(predicate, bounds)) {
                assertThat(rows)
                    .as("%s", predicate)
                    .noneMatch(row -> Predicates.test(predicate, row, TYPE) == Truth.TRUE);
              }
            }
          }
        });
  }

  @Test
  void exact_bounds_of_one_row_decide_everything_but_nan() {
    RowType type = TYPE.project(TYPE.names().stream().filter(n -> !isReal(n)).toList());
    Seeds.each(
        random -> {
          for (int i = 0; i < 500; i++) {
            InternalRow row = RandomPredicates.row(random, type, 4);
            Predicate predicate = RandomPredicates.predicate(random, type, 3);
            assertThat(Predicates.mayMatch(predicate, exact(row, type)))
                .as("%s of %s", predicate, row)
                .isEqualTo(Predicates.test(predicate, row, type) == Truth.TRUE);
          }
        });
  }

  private static boolean isReal(String name) {
    return name.equals("FLOAT") || name.equals("DOUBLE");
  }

  private static Bounds exact(InternalRow row, RowType type) {
    return new Bounds() {
      @Override
      public Object min(Column column) {
        int index = type.indexOfId(column.id());
        return row.get(index, SparkTypes.toSpark(column.type()));
      }

      @Override
      public Object max(Column column) {
        return min(column);
      }

      @Override
      public long nullCount(Column column) {
        return min(column) == null ? 1 : 0;
      }

      @Override
      public long rowCount() {
        return 1;
      }
    };
  }

  /** Bounds as writers keep them: cut, rounded up, or not at all; without NaN. */
  private static Bounds loosened(Random random, List<InternalRow> rows) {
    Object[] min = new Object[TYPE.size()];
    Object[] max = new Object[TYPE.size()];
    long[] nulls = new long[TYPE.size()];
    for (int i = 0; i < TYPE.size(); i++) {
      ValueOrder order = ValueOrder.of(TYPE.column(i).type());
      for (InternalRow row : rows) {
        if (row.isNullAt(i)) {
          nulls[i]++;
          continue;
        }
        Object value = order.get(row, i);
        if (value.toString().equals("NaN")) {
          continue;
        }
        min[i] = min[i] == null || order.compare(value, min[i]) < 0 ? value : min[i];
        max[i] = max[i] == null || order.compare(value, max[i]) > 0 ? value : max[i];
      }
      if (random.nextInt(3) == 0 && min[i] instanceof UTF8String text) {
        min[i] = text.substring(0, 1);
      }
      if (random.nextInt(3) == 0 && max[i] instanceof UTF8String text) {
        max[i] = UTF8String.concat(text, text("z"));
      }
      if (random.nextInt(8) == 0) {
        min[i] = null;
      }
      if (random.nextInt(8) == 0) {
        max[i] = null;
      }
      if (random.nextInt(8) == 0) {
        nulls[i] = Bounds.UNKNOWN;
      }
    }
    long rowCount = random.nextInt(8) == 0 ? Bounds.UNKNOWN : rows.size();
    return new Bounds() {
      @Override
      public Object min(Column column) {
        return min[column.id()];
      }

      @Override
      public Object max(Column column) {
        return max[column.id()];
      }

      @Override
      public long nullCount(Column column) {
        return nulls[column.id()];
      }

      @Override
      public long rowCount() {
        return rowCount;
      }
    };
  }

  // ---- building and taking apart

  @Test
  void and_and_or_are_flat_and_know_the_constants() {
    Predicate a = equal(INT, 1);
    Predicate b = equal(LONG, 1L);
    Predicate c = new IsNull(TEXT);
    assertThat(Predicates.and(a, Predicates.and(b, c), Predicate.ALWAYS))
        .isEqualTo(new And(List.of(a, b, c)));
    assertThat(Predicates.and()).isEqualTo(Predicate.ALWAYS);
    assertThat(Predicates.and(a)).isEqualTo(a);
    assertThat(Predicates.and(a, new Constant(false))).isEqualTo(new Constant(false));
    assertThat(Predicates.or(a, Predicates.or(b, c), new Constant(false)))
        .isEqualTo(new Or(List.of(a, b, c)));
    assertThat(Predicates.or()).isEqualTo(new Constant(false));
    assertThat(Predicates.or(a, Predicate.ALWAYS)).isEqualTo(Predicate.ALWAYS);
    assertThat(Predicates.not(Predicates.not(a))).isEqualTo(a);
    assertThat(Predicates.columns(Predicates.or(a, Predicates.not(c)))).containsExactly(INT, TEXT);
    assertThat(Predicates.columns(Predicate.ALWAYS)).isEmpty();
  }

  @Test
  void a_negated_or_falls_into_conjuncts() {
    Predicate a = equal(INT, 1);
    Predicate b = equal(LONG, 1L);
    assertThat(Predicates.conjuncts(new Not(new Or(List.of(a, new Not(b))))))
        .containsExactly(new Not(a), b);
    assertThat(Predicates.conjuncts(a)).containsExactly(a);
  }

  @Test
  void what_some_columns_alone_say_keeps_the_branches_of_an_or() {
    Predicate a1 = equal(INT, 1);
    Predicate a2 = equal(INT, 2);
    Predicate b = equal(LONG, 1L);
    RowType ints = new RowType(List.of(INT));
    Predicate predicate = Predicates.or(Predicates.and(a1, b), Predicates.and(a2, b));
    assertThat(Predicates.onlyOver(ints, predicate)).isEqualTo(Predicates.or(a1, a2));
    assertThat(Predicates.onlyOver(ints, Predicates.or(a1, b))).isEqualTo(Predicate.ALWAYS);
    assertThat(Predicates.onlyOver(ints, new Not(Predicates.or(a1, b)))).isEqualTo(new Not(a1));
    assertThat(Predicates.onlyOver(ints, new Not(Predicates.and(a1, b))))
        .isEqualTo(Predicate.ALWAYS);
  }

  @Test
  void weaker_and_flatter_conditions_are_true_wherever_the_first_one_is() {
    Seeds.each(
        random -> {
          for (int i = 0; i < 200; i++) {
            Predicate predicate = RandomPredicates.predicate(random, TYPE, 4);
            List<String> names = new ArrayList<>(TYPE.names());
            names.removeIf(name -> random.nextBoolean());
            RowType some = TYPE.project(names);
            Predicate weaker = Predicates.onlyOver(some, predicate);
            Predicate flat = Predicates.and(Predicates.conjuncts(predicate));
            assertThat(some.columns()).containsAll(Predicates.columns(weaker));
            for (int j = 0; j < 10; j++) {
              InternalRow row = RandomPredicates.row(random, TYPE, 4);
              Truth truth = Predicates.test(predicate, row, TYPE);
              assertThat(Predicates.test(flat, row, TYPE)).isEqualTo(truth);
              if (truth == Truth.TRUE) {
                assertThat(Predicates.test(weaker, row, TYPE)).isEqualTo(Truth.TRUE);
              }
            }
          }
        });
  }

  // ---- older files

  @Test
  void a_file_with_another_name_and_a_narrower_integer_is_asked_in_its_own_words() {
    Column small = new Column(2, "old", ColumnTypes.parse("SMALLINT"));
    RowType file = new RowType(List.of(small));
    Predicate has = new Not(new IsNull(small));
    Predicate never = new Constant(false);
    assertThat(Predicates.inFile(file, equal(LONG, 5L))).isEqualTo(equal(small, (short) 5));
    assertThat(Predicates.inFile(file, equal(LONG, 40_000L))).isEqualTo(never);
    assertThat(Predicates.inFile(file, new Not(equal(LONG, 40_000L)))).isEqualTo(has);
    assertThat(Predicates.inFile(file, compare(LONG, Comparison.LESS, 40_000L))).isEqualTo(has);
    assertThat(Predicates.inFile(file, compare(LONG, Comparison.GREATER, -40_000L))).isEqualTo(has);
    assertThat(Predicates.inFile(file, compare(LONG, Comparison.LESS, -40_000L))).isEqualTo(never);
    assertThat(Predicates.inFile(file, new In(LONG, List.of(1L, 40_000L))))
        .isEqualTo(new In(small, List.of((short) 1)));
    assertThat(Predicates.inFile(file, new Not(new In(LONG, List.of(40_000L))))).isEqualTo(has);
    assertThat(Predicates.inFile(file, new IsNull(LONG))).isEqualTo(new IsNull(small));
  }

  @Test
  void a_column_that_the_file_lacks_is_null() {
    assertThat(Predicates.inFile(RowType.EMPTY, new IsNull(INT))).isEqualTo(Predicate.ALWAYS);
    for (Predicate never :
        List.of(equal(INT, 1), new Not(equal(INT, 1)), new Not(new IsNull(INT)))) {
      assertThat(Predicates.inFile(RowType.EMPTY, never)).isEqualTo(new Constant(false));
    }
  }

  @Test
  void values_that_are_cast_are_asked_for_null_at_most() {
    Column text = new Column(1, "i", ColumnTypes.parse("STRING"));
    RowType file = new RowType(List.of(text));
    Predicate has = new Not(new IsNull(text));
    assertThat(Predicates.inFile(file, equal(INT, 1))).isEqualTo(has);
    assertThat(Predicates.inFile(file, new Not(equal(INT, 1)))).isEqualTo(has);
    assertThat(Predicates.inFile(file, new Not(new IsNull(INT)))).isEqualTo(has);
    assertThat(Predicates.inFile(file, new IsNull(INT))).isEqualTo(Predicate.ALWAYS);
  }

  @Test
  void a_text_may_grow_but_not_shrink_or_be_filled_up() {
    Column shorter = new Column(3, "t", ColumnTypes.parse("VARCHAR(5)"));
    Column filled = new Column(3, "t", ColumnTypes.parse("CHAR(5)"));
    Column limited = new Column(3, "t", ColumnTypes.parse("VARCHAR(3)"));
    assertThat(Predicates.inFile(new RowType(List.of(shorter)), equal(TEXT, text("a"))))
        .isEqualTo(equal(shorter, text("a")));
    assertThat(Predicates.inFile(new RowType(List.of(filled)), equal(TEXT, text("a"))))
        .isEqualTo(new Not(new IsNull(filled)));
    assertThat(Predicates.inFile(new RowType(List.of(shorter)), equal(limited, text("a"))))
        .isEqualTo(new Not(new IsNull(shorter)));
  }

  @Test
  void a_condition_in_the_files_words_is_true_wherever_the_first_one_is() {
    String[] integers = {"TINYINT", "SMALLINT", "INT", "BIGINT"};
    Seeds.each(
        random -> {
          List<Column> columns = new ArrayList<>();
          for (Column column : TYPE.columns()) {
            int width = List.of(integers).indexOf(column.name());
            if (width > 0 && random.nextBoolean()) {
              ColumnType narrow = ColumnTypes.parse(integers[random.nextInt(width)]);
              columns.add(column.typed(narrow).named("n"));
            } else if (random.nextInt(4) > 0) {
              columns.add(column.named("old " + column.name()));
            }
          }
          RowType file = unique(columns);
          for (int i = 0; i < 200; i++) {
            Predicate predicate = RandomPredicates.predicate(random, TYPE, 4);
            Predicate inFile = Predicates.inFile(file, predicate);
            assertThat(file.columns()).containsAll(Predicates.columns(inFile));
            for (int j = 0; j < 10; j++) {
              InternalRow old = RandomPredicates.row(random, file, 4);
              boolean matches = Predicates.test(predicate, asRead(old, file), TYPE) == Truth.TRUE;
              // Nothing but integers is cast here, so nothing is lost.
              assertThat(Predicates.test(inFile, old, file) == Truth.TRUE)
                  .as("%s as %s", predicate, inFile)
                  .isEqualTo(matches);
            }
          }
        });
  }

  private static RowType unique(List<Column> columns) {
    return new RowType(
        columns.stream().map(column -> column.named(column.name() + column.id())).toList());
  }

  private static InternalRow asRead(InternalRow old, RowType file) {
    Object[] values = new Object[TYPE.size()];
    for (int i = 0; i < values.length; i++) {
      Column column = TYPE.column(i);
      int index = file.indexOfId(column.id());
      if (index < 0 || old.isNullAt(index)) {
        continue;
      }
      Object value = ValueOrder.of(file.column(index).type()).get(old, index);
      values[i] =
          switch (column.name()) {
            case "SMALLINT" -> ((Number) value).shortValue();
            case "INT" -> ((Number) value).intValue();
            case "BIGINT" -> ((Number) value).longValue();
            default -> value;
          };
    }
    return new GenericInternalRow(values);
  }
}
