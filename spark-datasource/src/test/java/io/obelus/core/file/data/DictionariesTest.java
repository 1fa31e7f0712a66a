package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DictionariesTest {

  private static final int ROWS = 10_000;
  private static final Scalar LONG_DECIMAL = new Scalar(Kind.DECIMAL, 30, 2, true);

  @TempDir Path directory;

  /** A file with a key and one column whose value in row i is {@code values.apply(i)}. */
  private DataFile write(ColumnType type, IntFunction<Object> values, Map<String, String> settings)
      throws IOException {
    List<InternalRow> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(new GenericInternalRow(new Object[] {(long) i, values.apply(i)}));
    }
    return DataFileTest.write(
        directory, columns(type), rows, DataFileTest.settings(1 << 27, settings));
  }

  private static RowType columns(ColumnType type) {
    return new RowType(
        List.of(
            new Column(0, "k", new Scalar(Kind.BIGINT, 0, 0, false)), new Column(1, "v", type)));
  }

  private ColumnChunkMetaData chunk(DataFile file) throws IOException {
    var path = new org.apache.hadoop.fs.Path(directory.resolve(file.name()).toString());
    try (var parquet =
        ParquetFileReader.open(HadoopInputFile.fromPath(path, new Configuration(false)))) {
      return parquet.getFooter().getBlocks().get(0).getColumns().stream()
          .filter(column -> column.getPath().toDotString().equals("v"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Whether every page of the column is written as ids of a dictionary. */
  private boolean isDictionary(DataFile file) throws IOException {
    var pages = chunk(file).getEncodingStats();
    return pages.hasDictionaryPages() && !pages.hasNonDictionaryEncodedPages();
  }

  /** Draws from so many numbers. */
  private static IntFunction<Object> draws(int numbers) {
    Random random = new Random(7);
    return i -> random.nextInt(numbers) * 1_000;
  }

  @Test
  void a_first_page_is_judged_by_what_20_000_values_would_come_to() throws IOException {
    ColumnType number = new Scalar(Kind.INT);
    assertThat(isDictionary(write(number, draws(5_000), Map.of()))).isTrue();
    assertThat(isDictionary(write(number, draws(8_000), Map.of()))).isTrue();
    assertThat(isDictionary(write(number, draws(1_000_000), Map.of()))).isFalse();
    assertThat(chunk(write(number, i -> i, Map.of())).hasDictionaryPage()).isFalse();
  }

  @Test
  void a_column_of_few_thousand_numbers_is_smaller_with_its_dictionary() throws IOException {
    ColumnType number = new Scalar(Kind.INT);
    long with = chunk(write(number, draws(3_000), Map.of())).getTotalSize();
    long without =
        chunk(write(number, draws(3_000), Map.of("parquet.enable.dictionary", "false")))
            .getTotalSize();
    assertThat(with).isLessThan(without * 9 / 10);
  }

  @Test
  void pages_as_long_as_those_of_parquet_are_judged_by_themselves() {
    assertThat(Dictionaries.pays(20_000, 8_600, 8_600 * 4, 80_000)).isTrue();
    assertThat(Dictionaries.pays(20_000, 15_000, 15_000 * 4, 80_000)).isFalse();
  }

  @Test
  void a_short_page_is_extrapolated() {
    // 2000 draws from 10,000 numbers of 4 bytes meet 1813 of them, from 20,000 meet 1903.
    assertThat(Dictionaries.pays(2000, 1813, 1813 * 4, 8000)).isTrue();
    assertThat(Dictionaries.pays(2000, 1903, 1903 * 4, 8000)).isFalse();
    assertThat(Dictionaries.pays(2000, 2000, 2000 * 4, 8000)).isFalse();
    assertThat(Dictionaries.pays(1, 1, 4, 4)).isFalse();
    // The longer the values, the sooner ids in their place pay: 26 bytes with the length.
    assertThat(Dictionaries.pays(2000, 1903, 1903 * 26, 2000 * 26)).isTrue();
  }

  @Test
  void pages_of_nulls_are_left_without_a_dictionary() throws IOException {
    ColumnType text = ColumnType.string();
    DataFile nulls = write(text, i -> null, Map.of());
    assertThat(isDictionary(nulls)).isFalse();
    assertThat(read(nulls, text)).hasSize(ROWS).allMatch(row -> row.get(1) == null);
    DataFile later = write(text, i -> i < 5_000 ? null : UTF8String.fromString("x"), Map.of());
    assertThat(isDictionary(later)).isFalse();
    assertThat(read(later, text)).hasSize(ROWS).last().isEqualTo(List.of((long) ROWS - 1, "x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void every_type_with_repeating_values_is_read_as_it_was_written(String version)
      throws IOException {
    Map<String, String> settings = Map.of("parquet.writer.version", version);
    check(new Scalar(Kind.INT), i -> i % 300, settings);
    check(new Scalar(Kind.BIGINT), i -> (i % 300) * 10_000_000_000L, settings);
    check(new Scalar(Kind.FLOAT), i -> i % 300 / 4f, settings);
    check(new Scalar(Kind.DOUBLE), i -> i % 300 / 8d, settings);
    check(ColumnType.string(), i -> UTF8String.fromString("text-" + i % 300), settings);
    check(LONG_DECIMAL, i -> Decimal.apply(new BigDecimal(i % 300 + ".25"), 30, 2), settings);
    check(new Scalar(Kind.TIMESTAMP, 9, 0, true), i -> (i % 300) * 86_400_000_001L, settings);
  }

  private void check(ColumnType type, IntFunction<Object> values, Map<String, String> settings)
      throws IOException {
    DataFile file = write(type, values, settings);
    DataFile plain = write(type, values, Map.of("parquet.enable.dictionary", "false"));
    // Parquet gives values of a fixed length a dictionary only in pages of version 2.
    boolean fixed = type.equals(LONG_DECIMAL) && settings.containsValue("v1");
    assertThat(isDictionary(file)).as("%s", type).isEqualTo(!fixed);
    assertThat(isDictionary(plain)).as("%s", type).isFalse();
    assertThat(read(file, type)).as("%s", type).isEqualTo(read(plain, type)).hasSize(ROWS);
  }

  private List<List<Object>> read(DataFile file, ColumnType type) throws IOException {
    return DataFileTest.read(
        directory,
        file,
        columns(type),
        columns(type),
        RowSelection.all(file.rowCount()),
        Predicate.ALWAYS,
        DataFiles.BatchSettings.DEFAULT,
        new ArrayList<>());
  }
}
