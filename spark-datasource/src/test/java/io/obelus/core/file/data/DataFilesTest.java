package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.testing.FailingStorage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFilesTest {

  private static final Column KEY = new Column(0, "k", new Scalar(Kind.BIGINT, 0, 0, false));

  @TempDir Path directory;

  private static List<InternalRow> rows(int count, Object... others) {
    List<InternalRow> rows = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      Object[] values = new Object[1 + others.length];
      values[0] = i;
      System.arraycopy(others, 0, values, 1, others.length);
      rows.add(new GenericInternalRow(values));
    }
    return rows;
  }

  private DataFile write(RowType type, List<InternalRow> rows) throws IOException {
    return DataFileTest.write(directory, type, rows, DataFileTest.settings(1 << 20, Map.of()));
  }

  private List<List<Object>> read(DataFile file, RowType fileColumns, RowType columns)
      throws IOException {
    return DataFileTest.read(
        directory,
        file,
        fileColumns,
        columns,
        RowSelection.all(file.rowCount()),
        Predicate.ALWAYS,
        DataFiles.BatchSettings.DEFAULT,
        new ArrayList<>());
  }

  private List<Object> firstRow(DataFile file, RowType fileColumns, Column... columns)
      throws IOException {
    return read(file, fileColumns, new RowType(List.of(columns))).get(0);
  }

  @Test
  void columns_are_found_by_field_id_and_not_by_name() throws IOException {
    RowType old = new RowType(List.of(KEY, new Column(1, "a", new Scalar(Kind.INT))));
    DataFile file = write(old, rows(3, 42));
    Column renamed = new Column(1, "b", new Scalar(Kind.INT));
    Column addedAgain = new Column(2, "a", new Scalar(Kind.INT));
    assertThat(firstRow(file, old, renamed, addedAgain, KEY)).containsExactly(42, null, 0L);
  }

  @Test
  void system_columns_can_be_asked_for() throws IOException {
    RowType type = new RowType(List.of(KEY));
    DataFile file = write(type, rows(2));
    assertThat(
            read(
                file,
                type,
                new RowType(List.of(DataFileColumns.KIND, KEY, DataFileColumns.SEQUENCE))))
        .containsExactly(List.of((byte) 1, 0L, 100L), List.of((byte) 2, 1L, 101L));
  }

  @Test
  void no_column_at_all_still_has_rows_and_positions() throws IOException {
    RowType type = new RowType(List.of(KEY));
    DataFile file = write(type, rows(10_000));
    List<Long> positions = new ArrayList<>();
    DataFileTest.read(
        directory,
        file,
        type,
        RowType.EMPTY,
        DataFileTest.randomSelection(new Random(1), 10_000),
        Predicate.ALWAYS,
        DataFiles.BatchSettings.DEFAULT,
        positions);
    assertThat(positions)
        .hasSize((int) DataFileTest.randomSelection(new Random(1), 10_000).cardinality());
  }

  @Test
  void narrower_types_are_widened() throws IOException {
    RowType old =
        new RowType(
            List.of(
                KEY,
                new Column(1, "i", new Scalar(Kind.INT)),
                new Column(2, "f", new Scalar(Kind.FLOAT)),
                new Column(3, "d", new Scalar(Kind.DECIMAL, 5, 1, true)),
                new Column(4, "t", new Scalar(Kind.TINYINT))));
    InternalRow values =
        new GenericInternalRow(
            new Object[] {
              0L,
              -7,
              1.5f,
              org.apache.spark.sql.types.Decimal.apply(new java.math.BigDecimal("12.5"), 5, 1),
              (byte) -3
            });
    DataFile file =
        write(
            old,
            List.of(values, new GenericInternalRow(new Object[] {1L, null, null, null, null})));
    RowType now =
        new RowType(
            List.of(
                new Column(1, "i", new Scalar(Kind.BIGINT)),
                new Column(2, "f", new Scalar(Kind.DOUBLE)),
                new Column(3, "d", new Scalar(Kind.DECIMAL, 30, 3, true)),
                new Column(4, "t", new Scalar(Kind.DECIMAL, 10, 2, true))));
    assertThat(read(file, old, now))
        .containsExactly(
            List.of(
                -7L,
                Double.doubleToLongBits(1.5),
                new java.math.BigDecimal("12.500"),
                new java.math.BigDecimal("-3.00")),
            Arrays.asList(null, null, null, null));
  }

  @Test
  void other_changes_of_type_are_refused_by_name() throws IOException {
    RowType old = new RowType(List.of(KEY, new Column(1, "a", ColumnType.string())));
    DataFile file = write(old, rows(1, UTF8String.fromString("x")));
    assertThatThrownBy(() -> firstRow(file, old, new Column(1, "a", new Scalar(Kind.INT))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(file.name())
        .hasMessageContaining(
            "column 'a' is VARCHAR(2147483647) in the file and should be read as INT");
  }

  @Test
  void a_nested_row_is_matched_field_by_field() throws IOException {
    Scalar number = new Scalar(Kind.INT);
    Column x = new Column(2, "x", number);
    Column y = new Column(3, "y", number);
    RowType old =
        new RowType(List.of(KEY, new Column(1, "r", new ColumnType.Row(List.of(x, y), true))));
    List<InternalRow> rows = new ArrayList<>();
    rows.add(
        new GenericInternalRow(new Object[] {0L, new GenericInternalRow(new Object[] {1, 2})}));
    rows.add(new GenericInternalRow(new Object[] {1L, null}));
    rows.add(
        new GenericInternalRow(
            new Object[] {2L, new GenericInternalRow(new Object[] {null, null})}));
    DataFile file = write(old, rows);
    Column x2 = new Column(9, "x", number); // added again under the same name
    RowType moved =
        new RowType(
            List.of(new Column(1, "r", new ColumnType.Row(List.of(y, x2, x.named("z")), true))));
    assertThat(read(file, old, moved))
        .containsExactly(
            List.of(Arrays.asList(2, null, 1)),
            Arrays.asList((Object) null),
            List.of(Arrays.asList(null, null, null)));
    RowType onlyNew =
        new RowType(List.of(new Column(1, "r", new ColumnType.Row(List.of(x2), true))));
    assertThat(read(file, old, onlyNew))
        .containsExactly(
            List.of(Arrays.asList((Object) null)),
            Arrays.asList((Object) null),
            List.of(Arrays.asList((Object) null)));
  }

  @Test
  void fields_are_matched_inside_of_lists_too() throws IOException {
    Column x = new Column(2, "x", new Scalar(Kind.INT));
    Column y = new Column(3, "y", new Scalar(Kind.INT));
    ColumnType before = new ColumnType.Array(new ColumnType.Row(List.of(x), true), true);
    ColumnType after = new ColumnType.Array(new ColumnType.Row(List.of(y, x), true), true);
    RowType old = new RowType(List.of(KEY, new Column(1, "l", before)));
    Object list =
        new GenericArrayData(new Object[] {new GenericInternalRow(new Object[] {5}), null});
    DataFile file = write(old, rows(1, list));
    assertThat(firstRow(file, old, new Column(1, "l", after)))
        .containsExactly(Arrays.asList(Arrays.asList(null, 5), null));
  }

  @Test
  void row_groups_belong_to_the_range_they_begin_in() throws IOException {
    RowType type = new RowType(List.of(KEY));
    DataFile file =
        DataFileTest.write(directory, type, rows(20_000), DataFileTest.settings(20_000, Map.of()));
    DataFiles files = new DataFiles(DataFileTest.STORAGE, DataFiles.BatchSettings.DEFAULT);
    List<Long> keys = new ArrayList<>();
    long parts = 0;
    for (long from = 0; from < 20_000; from += 5_000) {
      RowSelection all = RowSelection.all(20_000);
      int before = keys.size();
      try (DataFileReader reader =
          files.open(
              new DataFiles.Request(
                  file.path(directory.toString()),
                  type,
                  type,
                  all,
                  from,
                  from + 5_000,
                  Predicate.ALWAYS,
                  false))) {
        for (PositionedBatch batch = reader.next(); batch != null; batch = reader.next()) {
          for (int i = 0; i < batch.columns().numRows(); i++) {
            assertThat(batch.position(i)).isEqualTo(batch.columns().getRow(i).getLong(0));
            keys.add(batch.position(i));
          }
        }
      }
      parts += keys.size() > before ? 1 : 0;
    }
    assertThat(keys).hasSize(20_000).isSorted().doesNotHaveDuplicates();
    assertThat(parts).isGreaterThan(2);
  }

  @Test
  void a_file_with_another_number_of_rows_than_its_selection_is_refused() throws IOException {
    RowType type = new RowType(List.of(KEY));
    DataFile file = write(type, rows(5));
    assertThatThrownBy(
            () ->
                DataFileTest.read(
                    directory,
                    file,
                    type,
                    type,
                    RowSelection.all(6),
                    Predicate.ALWAYS,
                    DataFiles.BatchSettings.DEFAULT,
                    new ArrayList<>()))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(file.name() + " at byte 0: row count should be 6 but is 5");
  }

  @Test
  void a_missing_file_is_named() {
    DataFiles files = new DataFiles(DataFileTest.STORAGE, DataFiles.BatchSettings.DEFAULT);
    RowType type = new RowType(List.of(KEY));
    assertThatThrownBy(
            () ->
                files.open(
                    new DataFiles.Request(
                        directory + "/gone.parquet",
                        type,
                        type,
                        RowSelection.all(1),
                        Predicate.ALWAYS)))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("gone.parquet");
  }

  @Test
  void other_formats_are_refused_by_name() {
    DataFiles files = new DataFiles(DataFileTest.STORAGE, DataFiles.BatchSettings.DEFAULT);
    RowType type = new RowType(List.of(KEY));
    assertThatThrownBy(
            () ->
                files.open(
                    new DataFiles.Request(
                        directory + "/data-1.orc",
                        type,
                        type,
                        RowSelection.all(1),
                        Predicate.ALWAYS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data-1.orc: only Parquet files can be read");
  }

  @Test
  void a_file_cut_short_anywhere_is_reported_by_name() throws IOException {
    RowType type = new RowType(List.of(KEY, new Column(1, "s", ColumnType.string())));
    DataFile file = write(type, rows(2_000, UTF8String.fromString("some text")));
    Path path = Path.of(file.path(directory.toString()));
    byte[] bytes = Files.readAllBytes(path);
    for (int length = 0; length < bytes.length; length += 1 + bytes.length / 50) {
      Files.write(path, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> read(file, type, type))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(file.name())
          .hasMessageContaining("damaged or cut short");
    }
  }

  @Test
  void flipped_bytes_are_reported_by_name_or_change_nothing() throws IOException {
    RowType type = new RowType(List.of(KEY, new Column(1, "s", ColumnType.string())));
    DataFile file = write(type, rows(2_000, UTF8String.fromString("some text")));
    Path path = Path.of(file.path(directory.toString()));
    byte[] bytes = Files.readAllBytes(path);
    List<List<Object>> whole = read(file, type, type);
    for (int at = 0; at < bytes.length; at += 1 + bytes.length / 1500) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 0x55;
      Files.write(path, damaged);
      try {
        assertThat(read(file, type, type)).as("byte %d of %d", at, bytes.length).isEqualTo(whole);
      } catch (CorruptFileException e) {
        assertThat(e).hasMessageContaining(file.name());
      }
    }
  }

  @Test
  void a_null_in_a_required_column_is_refused_by_name() {
    RowType type = new RowType(List.of(KEY, new Column(1, "a", new Scalar(Kind.INT, 0, 0, false))));
    assertThatThrownBy(() -> write(type, rows(1, (Object) null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column 'a' is NOT NULL but a row to be written has null in it");
    assertThat(directory.toFile().list()).isEmpty();
  }

  @Test
  void writing_rolls_to_the_next_file_at_the_target_size() throws IOException {
    RowType type = new RowType(List.of(KEY));
    DataFileSettings settings =
        new DataFileSettings(
            "data-", 30_000, "uncompressed", 1 << 20, true, DataFileTest.STATS, Map.of());
    try (DataFileWriter writer =
        new DataFileWriter(
            DataFileTest.STORAGE,
            directory.toString(),
            new DataFileColumns(type, new int[] {0}),
            3,
            DataFile.SOURCE_COMPACT,
            settings,
            Companion.Factory.NONE)) {
      long sequence = 0;
      for (InternalRow row : rows(10_500)) {
        writer.write(row, sequence++, (byte) (sequence == 5 ? 3 : 0));
      }
      List<DataFile> files = writer.finish(4);
      assertThat(files).hasSizeGreaterThan(2);
      assertThat(files.stream().mapToLong(DataFile::rowCount).sum()).isEqualTo(10_500);
      long next = 0;
      for (int i = 0; i < files.size(); i++) {
        DataFile file = files.get(i);
        assertThat(file.name()).matches("data-[0-9a-f-]{36}-" + i + "\\.parquet");
        assertThat(file.size()).isEqualTo(Files.size(directory.resolve(file.name())));
        assertThat(file.minSequence()).isEqualTo(next);
        assertThat(file.maxSequence()).isEqualTo(next + file.rowCount() - 1);
        assertThat(file.rowCount() % 1000).isEqualTo(i == files.size() - 1 ? 500 : 0);
        assertThat(file.deleteRowCount()).isEqualTo(i == 0 ? 1 : 0);
        assertThat(file.level()).isEqualTo(4);
        assertThat(file.schemaId()).isEqualTo(3);
        assertThat(file.source()).isEqualTo(DataFile.SOURCE_COMPACT);
        next += file.rowCount();
      }
    }
  }

  @Test
  void trouble_of_the_storage_stays_what_it_was_and_leaves_no_file_behind() throws IOException {
    RowType type = new RowType(List.of(KEY));
    for (int step = 1; ; step++) {
      FailingStorage storage = FailingStorage.failingAt(step, DataFileTest.STORAGE);
      try (DataFileWriter writer =
          new DataFileWriter(
              storage,
              directory.toString(),
              new DataFileColumns(type, new int[] {0}),
              0,
              0,
              DataFileTest.settings(1 << 20, Map.of()),
              Companion.Factory.NONE)) {
        for (InternalRow row : rows(100)) {
          writer.write(row, 0, (byte) 0);
        }
        DataFile file = writer.finish(0).get(0);
        DataFiles files = new DataFiles(storage, DataFiles.BatchSettings.DEFAULT);
        try (DataFileReader reader =
            files.open(
                new DataFiles.Request(
                    file.path(directory.toString()),
                    type,
                    type,
                    RowSelection.all(100),
                    Predicate.ALWAYS))) {
          assertThat(reader.next().columns().numRows()).isEqualTo(100);
        }
        Files.delete(Path.of(file.path(directory.toString())));
      } catch (IOException e) {
        assertThat(storage.hasFailed()).isTrue();
      }
      if (!storage.hasFailed()) {
        return;
      }
      for (String left : directory.toFile().list()) {
        Files.delete(directory.resolve(left));
      }
    }
  }
}
