package io.obelus.core.table;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** We and Paimon add to one table without a key in turns; both read all that is there. */
class AppendInteropTest {

  private static final int HISTORIES = Integer.getInteger("histories", 2);

  @TempDir Path directory;

  @Test
  void rows_of_both_are_there_once() {
    Seeds.each(HISTORIES, random -> history(random, false));
  }

  @Test
  void rows_of_both_are_there_once_in_fixed_buckets() {
    Seeds.each(HISTORIES, random -> history(random, true));
  }

  private void history(Random random, boolean bucketed) throws Exception {
    Path place = Files.createTempDirectory(directory, "history");
    List<Column> columns = new ArrayList<>();
    columns.add(new Column(0, "k", ColumnTypes.parse("INT")));
    columns.add(new Column(0, "p", ColumnTypes.parse("STRING")));
    columns.add(new Column(0, "d", ColumnTypes.parse("DATE")));
    for (int i = random.nextInt(6); i > 0; i--) {
      columns.add(new Column(0, "v" + i, RandomRows.anyType(random)));
    }
    RowType type = RandomRows.numbered(columns);
    List<String> partition =
        List.of(List.<String>of(), List.of("p"), List.of("d", "p")).get(random.nextInt(3));
    Map<String, String> options = new HashMap<>();
    if (bucketed) {
      options.put("bucket", "3");
      options.put("bucket-key", "k");
    }
    if (random.nextInt(3) == 0) {
      options.put("target-file-size", "1 kb");
    }
    String story = type.columns() + " by " + partition + " " + options;
    PaimonTables tables = new PaimonTables(place);
    Path at = place.resolve("warehouse/db.db/t");
    PaimonTable theirs;
    CoreTable ours;
    if (random.nextBoolean()) {
      theirs = tables.create("t", type, partition, List.of(), options);
      ours = CoreTable.open(at);
    } else {
      ours = CoreTable.create(at, type, partition, List.of(), options);
      theirs = tables.open(at);
    }
    List<List<Object>> all = new ArrayList<>();
    TreeMap<Long, List<List<Object>>> past = new TreeMap<>();
    for (int step = 2 + random.nextInt(4); step > 0; step--) {
      List<Row> rows = rows(random, ours);
      rows.forEach(row -> all.add(Arrays.asList(row.values())));
      if (random.nextBoolean()) {
        ours.write(rows);
      } else {
        theirs.write(rows);
      }
      past.put(ours.latestSnapshot(), List.copyOf(all));
      SameRows.check(story + "\nread by us", ours.rows(), all);
      SameRows.check(story + "\nread by Paimon", theirs.rows(), all);
    }
    WholeTables.check(ours.table(), story);
    long first = past.firstKey();
    SameRows.check(story + "\nat first", ours.rows(first, LevelZero.MERGE), past.get(first));
    SameRows.check(story + "\nat first by Paimon", theirs.rows(first), past.get(first));
  }

  private static List<Row> rows(Random random, CoreTable table) {
    List<Row> rows = new ArrayList<>();
    var type = table.table().schema().rowType();
    for (int i = 1 + random.nextInt(random.nextInt(4) == 0 ? 1500 : 20); i > 0; i--) {
      List<Object> values = PlainValues.of(RandomRows.row(random, type), type);
      values.set(type.indexOf("p"), any(random, "a", "", " ", null, "x=1/y%2F", "é:*?"));
      values.set(type.indexOf("d"), PlainValues.of(any(random, 0, -1, 19_800, null), date(table)));
      rows.add(Row.insert(values.toArray()));
    }
    return rows;
  }

  private static ColumnType date(CoreTable table) {
    var type = table.table().schema().rowType();
    return type.column(type.indexOf("d")).type();
  }

  private static Object any(Random random, Object... values) {
    return values[random.nextInt(values.length)];
  }
}
