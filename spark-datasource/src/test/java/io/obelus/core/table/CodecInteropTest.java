package io.obelus.core.table;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import io.obelus.testing.RandomRows;
import io.obelus.testing.SameRows;
import io.obelus.testing.Seeds;
import io.obelus.testing.WholeTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages in every codec and of both versions, as Paimon writes them and as we do. */
class CodecInteropTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "zstd, v1",
    "zstd, v2",
    "snappy, v1",
    "snappy, v2",
    "gzip, v1",
    "gzip, v2",
    "lz4, v1",
    "lz4, v2",
    "uncompressed, v1",
    "uncompressed, v2"
  })
  void each_reads_what_the_other_wrote(String codec, String version) {
    Seeds.each(2, random -> write(random, codec, version));
  }

  private void write(Random random, String codec, String version) throws Exception {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column(0, "k", ColumnTypes.parse("INT")));
    for (int i = 1; i < 6; i++) {
      columns.add(new Column(0, "v" + i, RandomRows.anyType(random)));
    }
    RowType type = RandomRows.numbered(columns);
    Path place = Files.createTempDirectory(directory, codec);
    Map<String, String> options =
        Map.of(
            "file.compression",
            codec,
            "parquet.writer.version",
            version,
            "parquet.page.row.count.limit",
            String.valueOf(20 + random.nextInt(200)),
            "parquet.enable.dictionary",
            String.valueOf(random.nextBoolean()));
    PaimonTable theirs = new PaimonTables(place).create("t", type, List.of(), List.of(), options);
    CoreTable ours = CoreTable.open(place.resolve("warehouse/db.db/t"));
    List<List<Object>> all = new ArrayList<>();
    for (int step = 0; step < 4; step++) {
      List<Row> rows = rows(random, ours.table().schema().rowType());
      rows.forEach(row -> all.add(Arrays.asList(row.values())));
      if (step % 2 == 0) {
        theirs.write(rows);
      } else {
        ours.write(rows);
      }
      String story = type.columns() + " " + options;
      SameRows.check(story + "\nread by us", ours.rows(), all);
      if (version.equals("v1")) { // Paimon 1.3.1 fails at texts of its own pages of version 2
        SameRows.check(story + "\nread by Paimon", theirs.rows(), all);
      }
    }
    WholeTables.check(ours.table(), "codecs");
  }

  private static List<Row> rows(Random random, RowType type) {
    List<Row> rows = new ArrayList<>();
    for (int i = 1 + random.nextInt(600); i > 0; i--) {
      rows.add(Row.insert(PlainValues.of(RandomRows.row(random, type), type).toArray()));
    }
    return rows;
  }
}
