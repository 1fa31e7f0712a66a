package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFileTest {

  static final Storage STORAGE = new HadoopStorage(new Configuration());
  static final DataFileSettings.StatsSettings STATS =
      new DataFileSettings.StatsSettings("truncate(16)", Map.of(), true, -1);

  @TempDir Path directory;

  static DataFileSettings settings(long rowGroupSize, Map<String, String> parquet) {
    return new DataFileSettings("data-", 1L << 30, "zstd", rowGroupSize, true, STATS, parquet);
  }

  /** Writes rows whose first column is the key, one after another. */
  static DataFile write(
      Path directory, RowType type, List<InternalRow> rows, DataFileSettings settings)
      throws IOException {
    DataFileColumns columns = new DataFileColumns(type, new int[] {0});
    try (DataFileWriter writer =
        new DataFileWriter(
            STORAGE,
            directory.toString(),
            columns,
            7,
            DataFile.SOURCE_APPEND,
            settings,
            Companion.Factory.NONE)) {
      long sequence = 100;
      for (InternalRow row : rows) {
        writer.write(row, sequence++, (byte) (sequence % 4));
      }
      List<DataFile> files = writer.finish(5);
      assertThat(files).hasSize(1);
      return files.get(0);
    }
  }

  /** Every row that a reader returns, by position. */
  static List<List<Object>> read(
      Path directory,
      DataFile file,
      RowType fileColumns,
      RowType columns,
      RowSelection rows,
      Predicate condition,
      DataFiles.BatchSettings batches,
      List<Long> positions)
      throws IOException {
    List<List<Object>> read = new ArrayList<>();
    DataFiles files = new DataFiles(STORAGE, batches);
    try (DataFileReader reader =
        files.open(
            new DataFiles.Request(
                file.path(directory.toString()), fileColumns, columns, rows, condition))) {
      for (PositionedBatch batch = reader.next(); batch != null; batch = reader.next()) {
        ColumnarBatch found = batch.columns();
        assertThat(found.numRows()).isPositive();
        for (int i = 0; i < found.numRows(); i++) {
          read.add(RandomRows.plain(found.getRow(i), columns));
          positions.add(batch.position(i));
        }
      }
    }
    return read;
  }

  static List<InternalRow> randomRows(Random random, RowType type, int count) {
    List<InternalRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(RandomRows.row(random, type, i));
    }
    return rows;
  }

  static RowSelection randomSelection(Random random, int rowCount) {
    Positions deleted = new Positions();
    int style = random.nextInt(4);
    int at = 0;
    while (at < rowCount) {
      int run = 1 + random.nextInt(style == 0 ? 3 : style == 1 ? 50 : 1 + rowCount / 2);
      boolean delete = style == 3 ? random.nextInt(10) > 0 : random.nextBoolean();
      for (int i = at; delete && i < Math.min(rowCount, at + run); i++) {
        deleted.add(i);
      }
      at += run;
    }
    return RowSelection.all(rowCount).without(deleted);
  }

  @Test
  void every_type_is_read_as_it_was_written_but_for_the_rows_left_out() {
    RowType type = RandomRows.everyType();
    Seeds.each(
        random -> {
          int count = 1 + random.nextInt(3000);
          List<InternalRow> rows = randomRows(random, type, count);
          DataFile file =
              write(
                  directory,
                  type,
                  rows,
                  settings(
                      20_000 + random.nextInt(500_000),
                      Map.of(
                          "parquet.page.size", String.valueOf(200 + random.nextInt(4000)),
                          "parquet.page.size.row.check.min", "10",
                          "parquet.page.row.count.limit", String.valueOf(10 + random.nextInt(900)),
                          "parquet.enable.dictionary", String.valueOf(random.nextBoolean()))));
          RowSelection selection =
              random.nextInt(4) == 0 ? RowSelection.all(count) : randomSelection(random, count);
          List<Long> positions = new ArrayList<>();
          List<List<Object>> read =
              read(
                  directory,
                  file,
                  type,
                  type,
                  selection,
                  Predicate.ALWAYS,
                  new DataFiles.BatchSettings(1 + random.nextInt(600), random.nextBoolean()),
                  positions);
          List<Long> expected = new ArrayList<>();
          for (RowSelection.Run run : selection.runs(0, count)) {
            for (long i = run.from(); i < run.to(); i++) {
              expected.add(i);
            }
          }
          assertThat(positions).isEqualTo(expected);
          for (int i = 0; i < read.size(); i++) {
            assertThat(read.get(i))
                .isEqualTo(RandomRows.plain(rows.get((int) (long) expected.get(i)), type));
          }
        });
  }
}
