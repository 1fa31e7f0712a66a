package io.obelus.core.table.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.GoldenRows;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import io.obelus.testing.RandomIndexes;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.SameRows;
import io.obelus.testing.Seeds;
import io.obelus.testing.TableModel;
import io.obelus.testing.WholeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.paimon.types.RowKind;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever indexes a table has, and however its files are cut into pages and row groups: the answer
 * to a condition is that of a full scan.
 */
class IndexedReadsTest {

  /** For each table; {@code make soak} sets more. */
  private static final int CONDITIONS = Integer.getInteger("conditions", 24);

  private static final int TABLES = Integer.getInteger("histories", 8);

  /** Rows of one file, of which 8192 are looked at before anything is given up. */
  private static final int MANY = 14_000;

  private static final List<String> TYPES =
      List.of("VARCHAR(20)", "CHAR(3)", "TIMESTAMP(3)", "TIMESTAMP(9)", "DECIMAL(18, 0)");

  @TempDir Path directory;

  @Test
  void struck_out_by_32_bit_bitmaps() {
    tables(Map.of("deletion-vectors.enabled", "true"), true);
  }

  @Test
  void struck_out_by_64_bit_bitmaps() {
    tables(Map.of("deletion-vectors.enabled", "true", "deletion-vectors.bitmap64", "true"), true);
  }

  @Test
  void struck_out_by_a_delete_map() {
    tables(Map.of("delete-map.enabled", "true"), true);
  }

  @Test
  void merged_on_read() {
    tables(Map.of("deletion-vectors.enabled", "false"), true);
  }

  @Test
  void without_a_key() {
    tables(Map.of(), false);
  }

  /** So many that a first look at a condition's columns is given up where it does not pay. */
  @Test
  void of_many_rows() {
    Seeds.each(
        Math.max(2, TABLES / 5),
        random -> {
          boolean keyed = random.nextBoolean();
          Map<String, String> options = new HashMap<>();
          options.put("target-file-size", "1 gb");
          options.put("file.block-size", random.nextBoolean() ? "64 kb" : "1 gb");
          options.put("bucket", keyed ? "1" : "-1");
          run(random, options, keyed, MANY + random.nextInt(4000));
        });
  }

  /** With indexes of Paimon's, or with files of many schemas. */
  @Test
  void of_golden_tables() throws IOException {
    for (String name : List.of("pk_dv_file_index", "pk_dv_schema_evolution")) {
      CoreTable table = CoreTable.open(GoldenTables.unpack(name, directory));
      RowType columns = columns(table);
      List<List<Object>> rows = GoldenRows.of(name, "expected", columns);
      Seeds.each(
          1,
          random ->
              checkConditions(
                  random,
                  table,
                  rows,
                  2 * CONDITIONS,
                  (chance, column) -> {
                    Object value =
                        rows.get(chance.nextInt(rows.size())).get(columns.indexOf(column.name()));
                    return value == null
                        ? RandomPredicates.value(chance, column.type())
                        : PlainValues.spark(value, column.type());
                  }));
    }
  }

  @Test
  void where_an_index_knows_that_no_row_matches_no_data_file_is_opened() throws IOException {
    for (String kind : List.of("bitmap", "bloom-filter", "range-bitmap")) {
      for (String limit : List.of("0 b", "10 mb")) {
        CoreTable table = tenThousandRows(kind, "c", limit);
        FailingStorage storage = FailingStorage.counting(table.table().storage());
        Predicate absent = equal(table, "c", UTF8String.fromString("value 500"));
        assertThat(table.on(storage).rows(table.table().schema().rowType(), absent, 1)).isEmpty();
        assertThat(opened(storage, ".parquet")).as("%s of %s", kind, limit).isEmpty();
        assertThat(opened(storage, ".index")).hasSize(limit.equals("0 b") ? 1 : 0);
        assertThat(unindexed(table.on(storage)).rows(columns(table), absent, 1)).isEmpty();
        assertThat(opened(storage, ".parquet")).isNotEmpty();
      }
    }
  }

  @Test
  void a_selective_condition_reads_few_bytes() throws IOException {
    for (String kind : RandomIndexes.KINDS) {
      CoreTable table = tenThousandRows(kind, "n", "0 b");
      Predicate rare = equal(table, "n", mixed(4321));
      long indexed = bytesRead(table, rare);
      long unindexed = bytesRead(unindexed(table), rare);
      assertThat(indexed).as(kind).isGreaterThan(0);
      if (kind.equals("bloom-filter")) { // the value is there: no more can be said
        assertThat(indexed).isEqualTo(unindexed);
      } else {
        assertThat(indexed).as(kind).isLessThan(unindexed / 2);
      }
    }
  }

  /** Bytes of data files. */
  private static long bytesRead(CoreTable table, Predicate condition) throws IOException {
    FailingStorage storage = FailingStorage.counting(table.table().storage());
    CoreTable unremembered = table.on(storage).with("read.cache-size", "0");
    assertThat(unremembered.rows(columns(table), condition, 1)).hasSize(1);
    return storage.bytesRead(path -> path.endsWith(".parquet"));
  }

  private static RowType columns(CoreTable table) {
    return table.table().schema().rowType();
  }

  private static CoreTable unindexed(CoreTable table) {
    return table.with("file-index.read.enabled", "false");
  }

  private static Predicate equal(CoreTable table, String column, Object literal) {
    RowType columns = columns(table);
    return new Predicate.Compare(
        columns.column(columns.indexOf(column)), Predicate.Comparison.EQUAL, literal);
  }

  private static List<String> opened(FailingStorage storage, String suffix) {
    return storage.operations().stream()
        .filter(operation -> operation.startsWith("open ") && operation.endsWith(suffix))
        .toList();
  }

  /** Column c has 999 values, column n one for each row, both in no order. */
  private CoreTable tenThousandRows(String kind, String column, String limit) throws IOException {
    Map<String, String> options = new HashMap<>();
    options.put("bucket", "1");
    options.put("parquet.page.row.count.limit", "500");
    options.put("file-index." + kind + ".columns", column);
    options.put("file-index.in-manifest-threshold", limit);
    if (kind.equals("bloom-filter")) {
      options.put("file-index.bloom-filter." + column + ".fpp", "0.0001");
    }
    CoreTable table =
        CoreTable.create(
            Files.createTempDirectory(directory, "t").resolve("t"),
            List.of("k INT NOT NULL", "c STRING", "n BIGINT", "payload STRING"),
            List.of(),
            List.of("k"),
            options);
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < 10_000; k++) {
      int value = k * 7919 % 1000;
      String text = "value " + (value == 500 ? 501 : value);
      rows.add(Row.insert(k, text, mixed(k), "payload %016x".formatted(mixed(-k))));
    }
    table.write(rows);
    return table;
  }

  private static long mixed(int k) {
    return k * 0x9e3779b97f4a7c15L;
  }

  private void tables(Map<String, String> options, boolean keyed) {
    Seeds.each(
        TABLES,
        random ->
            run(random, options, keyed, 1 + random.nextInt(random.nextInt(6) == 0 ? 3000 : 300)));
  }

  private void run(Random random, Map<String, String> options, boolean keyed, int keys)
      throws IOException {
    Path place = Files.createTempDirectory(directory, "table");
    History history = new History(random, place, options, keyed, keys);
    try {
      history.run();
      WholeTables.check(history.table.table(), history.story);
    } catch (Exception | AssertionError e) {
      throw new AssertionError(history.story + "\n" + e.getMessage(), e);
    }
    deleteAll(place);
  }

  private static void deleteAll(Path place) throws IOException {
    try (Stream<Path> paths = Files.walk(place)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** A random table, and what is done to it. */
  private static final class History {
    private final Random random;
    private final StringBuilder story = new StringBuilder();
    private final boolean keyed;
    private final boolean partitioned;
    private final RowType columns;
    private final CoreTable table;
    private final Path place;
    private final TableModel model; // null without a key
    private final List<List<Object>> appended = new ArrayList<>();
    private final int keys;

    /** How many keys in a row share a value of a column: what pages and row groups tell apart. */
    private final int[] runs;

    private final Object[][] valuesOfRuns;

    History(Random random, Path place, Map<String, String> given, boolean keyed, int keys)
        throws IOException {
      this.random = random;
      this.keys = keys;
      this.keyed = keyed;
      partitioned = keys < MANY && random.nextInt(3) == 0;
      columns = columns(random);
      runs = new int[columns.size()];
      valuesOfRuns = new Object[columns.size()][];
      for (int i = 0; i < runs.length; i++) {
        runs[i] = random.nextBoolean() ? 1 + random.nextInt(100) : 0;
        valuesOfRuns[i] = new Object[keys];
        for (int run = 0; runs[i] > 0 && run * runs[i] < keys; run++) {
          valuesOfRuns[i][run] = freshValue(i);
        }
      }
      Map<String, String> options = options(given);
      this.place = place;
      table =
          CoreTable.create(
              place.resolve("warehouse/db.db/t"),
              columns,
              partitioned ? List.of("p") : List.of(),
              !keyed ? List.of() : partitioned ? List.of("p", "k") : List.of("k"),
              options);
      model = keyed ? TableModel.of(table) : null;
      story.append(columns.columns()).append(" partitioned ").append(partitioned).append(' ');
      story.append(options).append("\n").append(keys).append(" keys");
    }

    private static RowType columns(Random random) {
      List<Column> all = new ArrayList<>();
      for (Column column : RandomPredicates.TYPE.columns()) {
        all.add(new Column(0, "v" + all.size(), column.type()));
      }
      for (String type : TYPES) {
        all.add(new Column(0, "v" + all.size(), ColumnTypes.parse(type)));
      }
      Collections.shuffle(all, random);
      List<Column> some = new ArrayList<>(all.subList(0, 1 + random.nextInt(10)));
      some.add(new Column(0, "k", ColumnTypes.parse("INT NOT NULL")));
      some.add(new Column(0, "p", ColumnTypes.parse(random.nextBoolean() ? "INT" : "STRING")));
      Collections.shuffle(some, random);
      List<Column> numbered = new ArrayList<>();
      for (Column column : some) {
        numbered.add(new Column(numbered.size(), column.name(), column.type()));
      }
      return new RowType(numbered);
    }

    private Map<String, String> options(Map<String, String> given) {
      Map<String, String> options =
          new HashMap<>(RandomIndexes.options(random, columns, random.nextDouble()));
      if (keyed) {
        options.put("bucket", any("1", "1", "2"));
        options.put("num-sorted-run.compaction-trigger", any("2", "3", "5"));
      }
      options.put("parquet.page.row.count.limit", Integer.toString(7 + random.nextInt(43)));
      options.put("file.block-size", any("4 kb", "16 kb", "1 mb"));
      options.put("target-file-size", any("1 kb", "20 kb", "1 mb"));
      options.put("parquet.enable.dictionary", any("true", "false"));
      options.put("metadata.stats-mode", any("none", "truncate(16)", "counts", "none"));
      options.putAll(given);
      return options;
    }

    private String any(String... words) {
      return words[random.nextInt(words.length)];
    }

    void run() throws Exception {
      write(keys);
      check();
      for (int step = random.nextInt(6); step > 0; step--) {
        step();
      }
      check();
    }

    private void step() throws Exception {
      switch (random.nextInt(keyed ? 8 : 3)) {
        case 0 -> write(1 + random.nextInt(keys));
        case 1, 2 -> write(1 + random.nextInt(9));
        case 3, 4 -> delete();
        case 5 -> {
          story.append("\nfull compaction");
          table.compact(true);
        }
        case 6 -> {
          story.append("\ncompaction");
          table.compact(false);
        }
        default -> {
          if (table.table().schema().options().containsKey("delete-map.enabled")) {
            write(1 + random.nextInt(9));
          } else {
            writeByPaimon(1 + random.nextInt(60));
          }
        }
      }
    }

    private void write(int count) throws IOException {
      story.append("\n").append(count).append(" written");
      List<Row> rows = rows(count);
      table.write(rows);
      remember(rows);
    }

    /** Level 0, which has indexes too. */
    private void writeByPaimon(int count) throws Exception {
      story.append("\n").append(count).append(" on level 0");
      List<Row> rows = rows(count);
      new PaimonTables(place)
          .open(place.resolve("warehouse/db.db/t"))
          .with("write-only", "true")
          .write(rows);
      remember(rows);
    }

    private void delete() throws IOException {
      List<Row> rows = new ArrayList<>();
      int every = 2 + random.nextInt(20);
      int from = random.nextInt(keys);
      int to = random.nextBoolean() ? keys : Math.min(keys, from + random.nextInt(200));
      for (List<Object> row : model.rows()) {
        int k = (Integer) row.get(columns.indexOf("k"));
        if (k >= from && k < to && random.nextInt(every) == 0) {
          rows.add(new Row(RowKind.DELETE, row.toArray()));
        }
      }
      story.append("\n").append(rows.size()).append(" deleted");
      table.write(rows);
      remember(rows);
    }

    private void remember(List<Row> rows) {
      if (keyed) {
        model.write(rows);
      } else {
        rows.forEach(row -> appended.add(Arrays.asList(row.values())));
      }
    }

    /** All keys if so many are asked for, else some, some of which may come twice. */
    private List<Row> rows(int count) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int key = count == keys ? i : random.nextInt(keys);
        Object[] values = new Object[columns.size()];
        for (int column = 0; column < values.length; column++) {
          values[column] = value(column, key);
        }
        rows.add(Row.insert(values));
      }
      return rows;
    }

    private Object value(int column, int key) {
      boolean usual = runs[column] > 0 && random.nextInt(20) > 0;
      return switch (columns.column(column).name()) {
        case "k" -> key;
        case "p" -> {
          Object value = key % 3;
          yield columns.column(column).type().equals(ColumnTypes.parse("INT"))
              ? value
              : "p" + value;
        }
        default -> usual ? valuesOfRuns[column][key / runs[column]] : freshValue(column);
      };
    }

    private Object freshValue(int column) {
      var type = columns.column(column).type();
      return random.nextInt(6) == 0
          ? null
          : PlainValues.of(RandomPredicates.value(random, type), type);
    }

    private void check() throws IOException {
      checkConditions(
          random, table, keyed ? model.rows() : appended, CONDITIONS / 2, this::literal);
    }

    private Object literal(Random chance, Column column) {
      if (column.name().equals("k")) {
        return chance.nextInt(keys + 2) - 1;
      } else if (column.name().equals("p")) {
        return PlainValues.spark(value(columns.indexOf("p"), chance.nextInt(4)), column.type());
      }
      return RandomPredicates.value(chance, column.type());
    }
  }

  /** Indexes on and off, batches of any size, any columns: the answer is that of the rows. */
  private static void checkConditions(
      Random random,
      CoreTable table,
      List<List<Object>> rows,
      int conditions,
      RandomPredicates.Literals literals)
      throws IOException {
    RowType columns = columns(table);
    RowType scalars =
        new RowType(
            columns.columns().stream().filter(c -> c.type() instanceof ColumnType.Scalar).toList());
    List<InternalRow> asSpark = rows.stream().map(row -> PlainValues.row(row, columns)).toList();
    for (int i = 0; i < conditions; i++) {
      Predicate condition = RandomPredicates.predicate(random, scalars, 3, literals);
      List<Integer> read = columnsWith(random, columns, Predicates.columns(condition));
      List<List<Object>> expected = new ArrayList<>();
      for (int row = 0; row < rows.size(); row++) {
        if (Predicates.test(condition, asSpark.get(row), columns) == Truth.TRUE) {
          List<Object> values = rows.get(row);
          List<Object> picked = new ArrayList<>();
          read.forEach(column -> picked.add(values.get(column)));
          expected.add(picked);
        }
      }
      RowType output = new RowType(read.stream().map(columns::column).toList());
      int tasks = 1 + random.nextInt(4);
      int capacity = random.nextBoolean() ? 4096 : 1 + rows.size() / 50 + random.nextInt(100);
      BatchSettings batches = new BatchSettings(capacity, random.nextInt(8) == 0);
      String what = "%s with capacity %d where %s".formatted(output.names(), capacity, condition);
      SameRows.check(what, table.rows(output, condition, tasks, batches), expected);
      SameRows.check(
          "without indexes: " + what,
          unindexed(table).rows(output, condition, tasks, batches),
          expected);
      checkRequired(random, table, rows, asSpark, new ScanFilter(condition, condition), batches);
    }
  }

  /** What the reader answers for certain is not looked at again, whatever columns it returns. */
  private static void checkRequired(
      Random random,
      CoreTable table,
      List<List<Object>> rows,
      List<InternalRow> asSpark,
      ScanFilter drawn,
      BatchSettings batches)
      throws IOException {
    RowType columns = columns(table);
    RowType partition = table.table().schema().partitionType();
    if (Predicates.columns(drawn.required()).stream()
        .anyMatch(column -> partition.indexOfId(column.id()) >= 0)) {
      return; // files do not tell partition values
    }
    ScanFilter filter = drawn;
    if (random.nextBoolean()) {
      Column column = columns.column(random.nextInt(columns.size()));
      Predicate other = new Predicate.Not(new Predicate.IsNull(column));
      filter = new ScanFilter(Predicates.and(drawn.condition(), other), drawn.required());
    }
    List<Integer> read = columnsWith(random, columns, Set.of());
    RowType output = new RowType(read.stream().map(columns::column).toList());
    List<List<Object>> least = new ArrayList<>();
    List<List<Object>> most = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      List<Object> values = rows.get(row);
      List<Object> picked = new ArrayList<>();
      read.forEach(column -> picked.add(values.get(column)));
      if (Predicates.test(filter.condition(), asSpark.get(row), columns) == Truth.TRUE) {
        least.add(picked);
      }
      if (Predicates.test(filter.required(), asSpark.get(row), columns) == Truth.TRUE) {
        most.add(picked);
      }
    }
    List<List<Object>> found = table.rows(output, filter, 1 + random.nextInt(4), batches);
    SameRows.checkBetween("%s where %s".formatted(output.names(), filter), found, least, most);
    SameRows.checkBetween(
        "without indexes: %s where %s".formatted(output.names(), filter),
        unindexed(table).rows(output, filter, 1, batches),
        least,
        most);
  }

  private static List<Integer> columnsWith(Random random, RowType columns, Set<Column> needed) {
    List<Integer> read = new ArrayList<>();
    boolean wide = random.nextInt(4) > 0; // else only those needed
    for (int i = 0; i < columns.size(); i++) {
      if (needed.contains(columns.column(i)) || (wide && random.nextBoolean())) {
        read.add(i);
      }
    }
    Collections.shuffle(read, random);
    return read;
  }
}
