package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.RowType;
import io.obelus.testing.Seeds;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageFilterTest {

  @TempDir Path directory;

  private static final RowType TYPE =
      new RowType(
          List.of(
              new Column(0, "k", new Scalar(Kind.BIGINT, 0, 0, false)),
              new Column(1, "i", new Scalar(Kind.INT)),
              new Column(2, "s", ColumnType.string()),
              new Column(3, "t", new Scalar(Kind.TIMESTAMP, 3, 0, true)),
              new Column(4, "d", new Scalar(Kind.DECIMAL, 10, 2, true)),
              new Column(5, "f", new Scalar(Kind.DOUBLE)),
              new Column(6, "b", new Scalar(Kind.TINYINT))));

  /** Values drift with the position, so that pages differ; some are null, some doubles are NaN. */
  private static InternalRow row(Random random, int i) {
    int v = i / 10 + random.nextInt(20);
    return new GenericInternalRow(
        new Object[] {
          (long) i,
          random.nextInt(9) == 0 ? null : v,
          random.nextInt(9) == 0 ? null : UTF8String.fromString("%05d-é".formatted(v)),
          random.nextInt(9) == 0 ? null : v * 1000L,
          random.nextInt(9) == 0 ? null : Decimal.apply(BigDecimal.valueOf(v, 2), 10, 2),
          random.nextInt(9) == 0 ? null : random.nextInt(20) == 0 ? Double.NaN : (double) v,
          random.nextInt(9) == 0 ? null : (byte) v
        });
  }

  private static Predicate condition(Random random, int depth) {
    int kind = random.nextInt(depth > 2 ? 4 : 7);
    Column column = TYPE.column(1 + random.nextInt(TYPE.size() - 1));
    return switch (kind) {
      case 0, 1 ->
          new Compare(
              column,
              Comparison.values()[random.nextInt(Comparison.values().length)],
              literal(random, column));
      case 2 -> new Predicate.In(column, List.of(literal(random, column), literal(random, column)));
      case 3 ->
          random.nextBoolean()
              ? new Predicate.IsNull(column)
              : new Predicate.StartsWith(
                  TYPE.column(2), UTF8String.fromString("%03d".formatted(random.nextInt(30))));
      case 4 ->
          new Predicate.And(List.of(condition(random, depth + 1), condition(random, depth + 1)));
      case 5 ->
          new Predicate.Or(List.of(condition(random, depth + 1), condition(random, depth + 1)));
      default -> new Predicate.Not(condition(random, depth + 1));
    };
  }

  private static Object literal(Random random, Column column) {
    int v = random.nextInt(300);
    return switch (((Scalar) column.type()).kind()) {
      case INT -> v;
      case VARCHAR -> UTF8String.fromString("%05d-é".formatted(v));
      case TIMESTAMP -> v * 1000L + random.nextInt(3) * 300;
      case DECIMAL -> Decimal.apply(BigDecimal.valueOf(v, 2), 10, 2);
      case DOUBLE -> random.nextInt(6) == 0 ? Double.NaN : (double) v;
      default -> (byte) v;
    };
  }

  /** True, false or null = unknown. */
  private static Boolean test(Predicate condition, InternalRow row) {
    if (condition instanceof Compare compare) {
      Object value = value(row, compare.column());
      return value == null ? null : holds(compare.comparison(), order(value, compare.literal()));
    } else if (condition instanceof Predicate.In in) {
      Object value = value(row, in.column());
      return value == null
          ? null
          : in.literals().stream().anyMatch(literal -> order(value, literal) == 0);
    } else if (condition instanceof Predicate.IsNull isNull) {
      return value(row, isNull.column()) == null;
    } else if (condition instanceof Predicate.StartsWith starts) {
      UTF8String value = (UTF8String) value(row, starts.column());
      return value == null ? null : value.startsWith(starts.prefix());
    } else if (condition instanceof Predicate.Not not) {
      Boolean inner = test(not.part(), row);
      return inner == null ? null : !inner;
    } else if (condition instanceof Predicate.And and) {
      Boolean left = test(and.parts().get(0), row);
      Boolean right = test(and.parts().get(1), row);
      return Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right)
          ? Boolean.FALSE
          : left == null || right == null ? null : Boolean.TRUE;
    }
    Predicate.Or or = (Predicate.Or) condition;
    Boolean left = test(or.parts().get(0), row);
    Boolean right = test(or.parts().get(1), row);
    return Boolean.TRUE.equals(left) || Boolean.TRUE.equals(right)
        ? Boolean.TRUE
        : left == null || right == null ? null : Boolean.FALSE;
  }

  private static Object value(InternalRow row, Column column) {
    return ((GenericInternalRow) row).genericGet(TYPE.indexOf(column.name()));
  }

  @SuppressWarnings("unchecked")
  private static int order(Object left, Object right) {
    return ((Comparator<Object>) (Comparator<?>) Comparator.naturalOrder()).compare(left, right);
  }

  private static boolean holds(Comparison comparison, int order) {
    return switch (comparison) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }

  @Test
  void no_row_that_fulfils_the_condition_is_lost() {
    Seeds.each(
        random -> {
          int count = 1 + random.nextInt(3000);
          List<InternalRow> rows = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            rows.add(row(random, i));
          }
          DataFile file =
              DataFileTest.write(
                  directory,
                  TYPE,
                  rows,
                  DataFileTest.settings(
                      10_000 + random.nextInt(50_000),
                      Map.of(
                          "parquet.page.row.count.limit",
                          String.valueOf(10 + random.nextInt(200)),
                          "parquet.page.size.row.check.min",
                          "10")));
          RowSelection selection = DataFileTest.randomSelection(random, count);
          Set<Long> selected = new HashSet<>();
          for (RowSelection.Run run : selection.runs(0, count)) {
            for (long i = run.from(); i < run.to(); i++) {
              selected.add(i);
            }
          }
          for (int round = 0; round < 20; round++) {
            Predicate condition = condition(random, 0);
            List<Long> positions = new ArrayList<>();
            List<List<Object>> read =
                DataFileTest.read(
                    directory,
                    file,
                    TYPE,
                    TYPE,
                    selection,
                    condition,
                    new DataFiles.BatchSettings(1 + random.nextInt(300), false),
                    positions);
            for (int i = 0; i < read.size(); i++) {
              assertThat(read.get(i))
                  .isEqualTo(RandomRows.plain(rows.get((int) (long) positions.get(i)), TYPE));
            }
            assertThat(selected).containsAll(positions);
            for (long position : selected) {
              if (Boolean.TRUE.equals(test(condition, rows.get((int) position)))) {
                assertThat(positions).as("%s", condition).contains(position);
              }
            }
          }
        });
  }

  @Test
  void row_groups_and_pages_without_a_match_are_not_read() throws Exception {
    List<InternalRow> rows = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 40_000; i++) {
      rows.add(row(random, i));
    }
    DataFile file =
        DataFileTest.write(
            directory,
            TYPE,
            rows,
            DataFileTest.settings(100_000, Map.of("parquet.page.row.count.limit", "500")));
    Column i = TYPE.column(1);
    List<Long> positions = new ArrayList<>();
    DataFileTest.read(
        directory,
        file,
        TYPE,
        TYPE.project(List.of("k")),
        RowSelection.all(40_000),
        new Predicate.And(
            List.of(
                new Compare(i, Comparison.GREATER_OR_EQUAL, 2000),
                new Compare(i, Comparison.LESS, 2010))),
        DataFiles.BatchSettings.DEFAULT,
        positions);
    assertThat(positions).contains(19_999L).hasSizeLessThan(2000);
    positions.clear();
    DataFileTest.read(
        directory,
        file,
        TYPE,
        TYPE.project(List.of("k")),
        RowSelection.all(40_000),
        new Compare(i, Comparison.LESS, -1),
        DataFiles.BatchSettings.DEFAULT,
        positions);
    assertThat(positions).isEmpty();
  }

  @Test
  void pages_that_do_not_line_up_keep_their_rows_together() throws Exception { // case O-05
    RowType type =
        new RowType(
            List.of(
                new Column(0, "k", new Scalar(Kind.BIGINT, 0, 0, false)),
                new Column(1, "flag", new Scalar(Kind.INT)),
                new Column(2, "wide", ColumnType.string())));
    List<InternalRow> rows = new ArrayList<>();
    Positions deleted = new Positions();
    for (int k = 0; k < 50_000; k++) {
      UTF8String wide = UTF8String.fromString("%0200d".formatted(k));
      rows.add(new GenericInternalRow(new Object[] {(long) k, k / 500 % 2, wide}));
      if (k % 1000 == 700) {
        deleted.add(k);
      }
    }
    DataFile file =
        DataFileTest.write(
            directory,
            type,
            rows,
            DataFileTest.settings(
                1 << 30,
                Map.of("parquet.enable.dictionary", "false", "parquet.page.size", "4096")));
    for (boolean offHeap : new boolean[] {false, true}) {
      List<Long> positions = new ArrayList<>();
      List<List<Object>> read =
          DataFileTest.read(
              directory,
              file,
              type,
              type,
              RowSelection.all(50_000).without(deleted),
              new Compare(type.column(1), Comparison.EQUAL, 1),
              new DataFiles.BatchSettings(4096, offHeap),
              positions);
      int ones = 0;
      for (int i = 0; i < read.size(); i++) {
        long k = (Long) read.get(i).get(0);
        assertThat(positions.get(i)).isEqualTo(k);
        assertThat(k % 1000).isNotEqualTo(700);
        assertThat(read.get(i).get(2)).isEqualTo("%0200d".formatted(k));
        ones += (Integer) read.get(i).get(1);
      }
      assertThat(ones).isEqualTo(24_950);
    }
  }
}
