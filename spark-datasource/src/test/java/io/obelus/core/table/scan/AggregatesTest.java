package io.obelus.core.table.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import io.obelus.core.table.scan.Aggregates.Function;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PlainValues;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.Seeds;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest and largest values of files, with and without struck-out rows. */
class AggregatesTest {

  private static final BatchSettings BATCHES = BatchSettings.DEFAULT;

  @TempDir Path directory;

  /**
   * What was told of the table's rows.
   *
   * @param values smallest and largest of each column but the key, in turn
   */
  private record Told(List<Object> values, long filesFromIndexes, long indexBytes) {}

  private CoreTable table(String threshold) throws IOException {
    return CoreTable.create(
        Files.createTempDirectory(directory, "t").resolve("t"),
        List.of(
            "k INT NOT NULL",
            "a TINYINT",
            "b SMALLINT",
            "c INT",
            "d BIGINT",
            "e DATE",
            "f DECIMAL(9, 2)",
            "g DECIMAL(18, 0)",
            "h TIMESTAMP(3)",
            "i TIMESTAMP(6)"),
        List.of(),
        List.of("k"),
        Map.of(
            "bucket", "1",
            "num-sorted-run.compaction-trigger", "100",
            "file-index.bsi.columns", "a, b, c, d, e, f, g, h, i",
            "file-index.in-manifest-threshold", threshold));
  }

  private static Told told(Table table, Predicate condition) throws IOException {
    List<Column> columns = table.schema().rowType().columns();
    List<Aggregates.Part> parts = new ArrayList<>();
    for (Column column : columns.subList(1, columns.size())) {
      parts.add(new Aggregates.Part(Function.MIN, column));
      parts.add(new Aggregates.Part(Function.MAX, column));
    }
    ScanPlan plan =
        ScanPlan.of(table, table.snapshots().latest().orElseThrow(), condition, LevelZero.MERGE);
    Object[] values = new Object[parts.size()];
    long files = 0;
    long bytes = 0;
    for (Split split : plan.wholeFileSplits(1)) {
      Aggregates aggregates = new Aggregates(null, parts);
      ScanFilter filter = new ScanFilter(condition, condition);
      try (AggregateReader reader =
          new AggregateReader(table, aggregates, filter, BATCHES, split)) {
        for (InternalRow row = reader.next(); row != null; row = reader.next()) {
          for (int i = 0; i < values.length; i++) {
            values[i] = further(parts.get(i), values[i], value(row, i, parts.get(i).column()));
          }
        }
        files += reader.filesFromIndexes();
        bytes += reader.indexBytesRead();
      }
    }
    checkAtOnce(table, plan, new Aggregates(null, parts), condition, files, values);
    return new Told(Arrays.asList(values), files, bytes);
  }

  /** The indexes of all files together say the same, if all of them say something. */
  private static void checkAtOnce(
      Table table,
      ScanPlan plan,
      Aggregates aggregates,
      Predicate condition,
      long told,
      Object[] expected)
      throws IOException {
    Split files = plan.fewWholeFiles().orElseThrow();
    ScanFilter filter = new ScanFilter(condition, condition);
    try (AggregateReader reader = new AggregateReader(table, aggregates, filter, BATCHES, files)) {
      Optional<List<InternalRow>> rows = reader.fromIndexes();
      assertThat(rows.isPresent()).isEqualTo(told == files.parts().size());
      rows.ifPresent(
          found -> {
            assertThat(found).hasSize(1);
            assertThat(((GenericInternalRow) found.get(0)).values()).isEqualTo(expected);
          });
    }
  }

  private static Object value(InternalRow row, int index, Column column) {
    return row.isNullAt(index) ? null : row.get(index, SparkTypes.toSpark(column.type()));
  }

  @SuppressWarnings("unchecked") // they are all numbers of one class
  private static Object further(Aggregates.Part part, Object left, Object right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    int order = ((Comparable<Object>) left).compareTo(right);
    return (part.function() == Function.MIN) == (order < 0) ? left : right;
  }

  /** The same of rows in memory. */
  private static List<Object> expected(List<List<Object>> rows, RowType columns) {
    Object[] values = new Object[2 * (columns.size() - 1)];
    for (List<Object> row : rows) {
      InternalRow internal = PlainValues.row(row, columns);
      for (int i = 0; i < values.length; i++) {
        Column column = columns.column(1 + i / 2);
        Function function = i % 2 == 0 ? Function.MIN : Function.MAX;
        Object value = value(internal, 1 + i / 2, column);
        values[i] = further(new Aggregates.Part(function, column), values[i], value);
      }
    }
    return Arrays.asList(values);
  }

  private static List<Row> rows(Random random, RowType columns, int from, int to) {
    List<Row> rows = new ArrayList<>();
    boolean nulls = random.nextInt(4) == 0;
    for (int k = from; k < to; k++) {
      List<Object> values = PlainValues.of(RandomPredicates.row(random, columns, 40), columns);
      values.set(0, k);
      if (nulls) {
        values.set(1 + random.nextInt(2), null);
        values.set(4, null);
      }
      rows.add(Row.insert(values.toArray()));
    }
    return rows;
  }

  @Test
  void smallest_and_largest_values_are_those_of_the_rows() {
    Seeds.each(
        5,
        random -> {
          CoreTable table = table(random.nextBoolean() ? "0 b" : "1 mb");
          RowType columns = table.table().schema().rowType();
          int count = 0;
          for (int round = 0; round < 4; round++) {
            int from = random.nextBoolean() ? count : random.nextInt(count + 1);
            int to = from + 1 + random.nextInt(200);
            table.write(rows(random, columns, from, to));
            count = Math.max(count, to);
            List<List<Object>> live = table.rows();
            assertThat(told(table.table(), Predicate.ALWAYS).values())
                .isEqualTo(expected(live, columns));
          }
        });
  }

  @Test
  void of_a_file_without_a_struck_out_row_statistics_tell_them() throws IOException {
    CoreTable table = table("0 b").with("read.cache-size", "0");
    RowType columns = table.table().schema().rowType();
    Random random = new Random(7);
    table.write(rows(random, columns, 0, 5000));
    Told whole = told(table.table(), Predicate.ALWAYS);
    assertThat(whole.values()).isEqualTo(expected(table.rows(), columns));
    assertThat(whole.filesFromIndexes()).isEqualTo(1);
    assertThat(whole.indexBytes()).isLessThan(5000); // the head
    table.write(rows(random, columns, 10, 11));
    Told struckOut = told(table.table(), Predicate.ALWAYS);
    assertThat(struckOut.values()).isEqualTo(expected(table.rows(), columns));
    assertThat(struckOut.filesFromIndexes()).isEqualTo(2);
    assertThat(struckOut.indexBytes()).isGreaterThan(50_000);
    Predicate some = new Predicate.Compare(columns.column(3), Predicate.Comparison.GREATER, 0);
    assertThat(told(table.table(), some).values())
        .isEqualTo(expected(table.rows(columns, some, 1), columns));
  }

  @Test
  @DamagesTables("an index file is deleted, as expiry does while a query runs")
  void an_index_file_that_has_gone_says_what_may_have_happened() throws IOException {
    CoreTable table = table("0 b").with("read.cache-size", "0");
    table.write(rows(new Random(7), table.table().schema().rowType(), 0, 50));
    try (var files = Files.list(Path.of(table.table().directory().root()).resolve("bucket-0"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".index")).toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(() -> told(table.table(), Predicate.ALWAYS))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(
            "If its snapshot has expired since this began, run the statement again");
  }
}
