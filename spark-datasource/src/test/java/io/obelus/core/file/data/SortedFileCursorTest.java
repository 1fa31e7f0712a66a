package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.testing.Seeds;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortedFileCursorTest {

  @TempDir Path directory;

  /** Key types and, for each, values that ascend with a number. */
  private static final Map<Scalar, LongFunction<Object>> KEYS =
      Map.of(
          new Scalar(Kind.BIGINT, 0, 0, false), n -> n,
          new Scalar(Kind.INT, 0, 0, false), n -> (int) n,
          new Scalar(Kind.VARCHAR, ColumnType.MAX_LENGTH, 0, false),
              n -> UTF8String.fromString("%s%06d".formatted("long common beginning ".repeat(4), n)),
          new Scalar(Kind.DECIMAL, 10, 2, false),
              n -> Decimal.apply(BigDecimal.valueOf(n, 2), 10, 2),
          new Scalar(Kind.TIMESTAMP, 3, 0, false), n -> n * 1000,
          new Scalar(Kind.DOUBLE, 0, 0, false), n -> (double) n);

  @Test
  void seeking_agrees_with_a_sorted_map() {
    Seeds.each(
        random -> {
          Scalar keyType = List.copyOf(KEYS.keySet()).get(random.nextInt(KEYS.size()));
          LongFunction<Object> keys = KEYS.get(keyType);
          boolean twoColumns = random.nextBoolean();
          RowType type =
              new RowType(
                  List.of(
                      new Column(0, "k", keyType),
                      new Column(1, "k2", new Scalar(Kind.INT, 0, 0, false)),
                      new Column(2, "v", new Scalar(Kind.BIGINT))));
          int rowCount = 1 + random.nextInt(5000);
          List<InternalRow> rows = new ArrayList<>();
          long number = 0;
          List<long[]> numbers = new ArrayList<>();
          while (rows.size() < rowCount) {
            number += 1 + random.nextInt(4);
            int same = twoColumns ? 1 + random.nextInt(3) : 1;
            for (int i = 0; i < same && rows.size() < rowCount; i++) {
              numbers.add(new long[] {number, i});
              rows.add(new GenericInternalRow(new Object[] {keys.apply(number), i, number}));
            }
          }
          DataFileColumns columns =
              new DataFileColumns(type, twoColumns ? new int[] {0, 1} : new int[] {0});
          DataFile file;
          try (DataFileWriter writer =
              new DataFileWriter(
                  DataFileTest.STORAGE,
                  directory.toString(),
                  columns,
                  0,
                  0,
                  DataFileTest.settings(
                      5_000 + random.nextInt(50_000),
                      Map.of(
                          "parquet.page.row.count.limit",
                          String.valueOf(20 + random.nextInt(200)),
                          "parquet.page.size.row.check.min",
                          "10")),
                  Companion.Factory.NONE)) {
            for (InternalRow row : rows) {
              writer.write(row, 0, (byte) 0);
            }
            file = writer.finish(1).get(0);
          }
          RowSelection selection =
              random.nextInt(3) == 0
                  ? RowSelection.all(rowCount)
                  : DataFileTest.randomSelection(random, rowCount);
          TreeMap<Long, Long> model = new TreeMap<>(); // number * 4 + k2 -> position
          for (RowSelection.Run run : selection.runs(0, rowCount)) {
            for (long i = run.from(); i < run.to(); i++) {
              model.put(numbers.get((int) i)[0] * 4 + numbers.get((int) i)[1], i);
            }
          }
          DataFiles files =
              new DataFiles(
                  DataFileTest.STORAGE,
                  new DataFiles.BatchSettings(1 + random.nextInt(300), random.nextBoolean()));
          try (SortedFileCursor cursor =
              files.openSorted(
                  new DataFiles.Request(
                      file.path(directory.toString()), type, type, selection, Predicate.ALWAYS),
                  columns.key())) {
            long sought = 0;
            long step = 1 + random.nextInt(random.nextBoolean() ? 10 : 4000);
            while (sought < number + 10) {
              int second = twoColumns ? random.nextInt(4) : 0;
              InternalRow key =
                  new GenericInternalRow(
                      twoColumns
                          ? new Object[] {keys.apply(sought), second}
                          : new Object[] {keys.apply(sought)});
              Map.Entry<Long, Long> expected = model.ceilingEntry(sought * 4 + second);
              assertThat(cursor.seek(key)).isEqualTo(expected != null);
              if (expected != null) {
                assertThat(cursor.position()).isEqualTo(expected.getValue());
                assertThat(cursor.row().getLong(2)).isEqualTo(expected.getKey() / 4);
              }
              sought += 1 + random.nextInt((int) step);
            }
          }
        });
  }

  @Test
  void pages_and_row_groups_that_end_before_the_key_are_not_read() throws Exception {
    RowType type = new RowType(List.of(new Column(0, "k", new Scalar(Kind.BIGINT, 0, 0, false))));
    List<InternalRow> rows = new ArrayList<>();
    for (long i = 0; i < 100_000; i++) {
      rows.add(new GenericInternalRow(new Object[] {i}));
    }
    DataFile file =
        DataFileTest.write(
            directory,
            type,
            rows,
            DataFileTest.settings(1 << 20, Map.of("parquet.page.row.count.limit", "1000")));
    DataFiles files = new DataFiles(DataFileTest.STORAGE, DataFiles.BatchSettings.DEFAULT);
    try (SortedRows cursor =
        (SortedRows)
            files.openSorted(
                new DataFiles.Request(
                    file.path(directory.toString()),
                    type,
                    type,
                    RowSelection.all(100_000),
                    Predicate.ALWAYS),
                new int[] {0})) {
      for (long key : new long[] {500, 30_000, 99_999}) {
        assertThat(cursor.seek(new GenericInternalRow(new Object[] {key}))).isTrue();
        assertThat(cursor.position()).isEqualTo(key);
      }
      assertThat(cursor.pagesRead()).isLessThanOrEqualTo(6);
      assertThat(cursor.bytesRead()).isLessThan(file.size() / 4);
    }
  }
}
