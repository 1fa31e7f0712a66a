package io.obelus.core.table.inspect;

import static io.obelus.testing.PaimonTable.Row.delete;
import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.CoreTable;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.PaimonRows;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What we say of a table is what Paimon says of it. */
class SystemTablesTest {

  /** System tables that are ours alone. */
  private static final List<String> OURS = List.of("deletion_bitmaps", "levels", "file_indexes");

  @TempDir Path directory;

  static Stream<Arguments> golden() throws IOException {
    return GoldenTables.names().stream()
        .flatMap(
            table ->
                SystemTables.names().stream()
                    .filter(name -> !OURS.contains(name))
                    .map(name -> Arguments.of(table, name)));
  }

  @ParameterizedTest
  @MethodSource("golden")
  void golden_tables_look_as_their_writer_shows_them(String table, String name) throws IOException {
    Path place = GoldenTables.unpack(table, directory);
    assertSame(new PaimonTables(directory.resolve("scratch")).open(place), name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pk_dv_basic",
        "pk_dv_bitmap64",
        "pk_dv_level0_pending",
        "pk_dv_schema_evolution",
        "pk_mor_level0",
        "pk_sequence_field",
        "append_dv"
      })
  void read_optimized_is_what_paimon_takes_it_for(String name) throws IOException {
    Path place = GoldenTables.unpack(name, directory);
    PaimonTable table = new PaimonTables(directory.resolve("scratch")).open(place);
    assertThat(CoreTable.open(place).rows(LevelZero.TOP_ONLY))
        .containsExactlyInAnyOrderElementsOf(table.systemRows("ro"));
  }

  @Test
  void partitions_keys_and_statistics_of_all_types_read_as_paimon_prints_them() throws Exception {
    List<String> types =
        List.of(
            "BOOLEAN",
            "TINYINT",
            "SMALLINT",
            "INT",
            "BIGINT",
            "FLOAT",
            "DOUBLE",
            "DECIMAL(10, 2)",
            "DECIMAL(30, 3)",
            "CHAR(3)",
            "STRING",
            "DATE",
            "TIMESTAMP(0)",
            "TIMESTAMP(3)",
            "TIMESTAMP(6)",
            "TIMESTAMP(3) WITH LOCAL TIME ZONE");
    Object[] values = {
      true,
      (byte) -1,
      (short) -2,
      3,
      -4L,
      1.5f,
      -0.25,
      new BigDecimal("12.30"),
      new BigDecimal("123456789012345678901.200"),
      "abc",
      "x, y",
      LocalDate.of(1969, 12, 31),
      LocalDateTime.of(2024, 2, 29, 1, 2, 3),
      LocalDateTime.of(2024, 2, 29, 1, 2, 3, 450_000_000),
      LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
      Instant.ofEpochMilli(1_700_000_000_120L)
    };
    List<String> columns = new ArrayList<>();
    List<String> partition = new ArrayList<>();
    List<String> key = new ArrayList<>();
    Object[] row = new Object[3 * types.size()];
    for (int i = 0; i < types.size(); i++) {
      columns.add("p" + i + " " + types.get(i) + " NOT NULL");
      columns.add("k" + i + " " + types.get(i) + " NOT NULL");
      columns.add("v" + i + " " + types.get(i));
      partition.add("p" + i);
      key.add("k" + i);
      row[3 * i] = values[i];
      row[3 * i + 1] = values[i];
      row[3 * i + 2] = values[i];
    }
    List<String> primaryKey = new ArrayList<>(partition);
    primaryKey.addAll(key);
    PaimonTable table =
        new PaimonTables(directory)
            .create("t", columns, partition, primaryKey, Map.of("bucket", "1"));
    table.write(insert(row));
    for (int i = 0; i < types.size(); i++) {
      row[3 * i + 2] = null;
    }
    table.write(insert(row));
    assertSame(table, "files");
    assertSame(table, "partitions");
    assertSame(table, "buckets");
    assertSame(table, "manifests");
  }

  @Test
  void statistics_are_shown_in_the_columns_of_today() throws Exception {
    PaimonTable table =
        new PaimonTables(directory)
            .create(
                "t",
                List.of(
                    "k INT NOT NULL",
                    "a TINYINT",
                    "b INT",
                    "c FLOAT",
                    "d DECIMAL(4, 1)",
                    "e VARCHAR(3)",
                    "f INT"),
                List.of(),
                List.of("k"),
                Map.of("bucket", "1", "deletion-vectors.enabled", "true"));
    table.write(insert(1, (byte) 7, 8, 0.1f, new BigDecimal("1.5"), "x", null));
    table =
        table.alter(
            SchemaChange.updateColumnType("a", DataTypes.BIGINT()),
            SchemaChange.updateColumnType("b", DataTypes.DOUBLE()),
            SchemaChange.updateColumnType("c", DataTypes.DOUBLE()),
            SchemaChange.updateColumnType("d", DataTypes.DECIMAL(9, 3)),
            SchemaChange.updateColumnType("e", DataTypes.STRING()),
            SchemaChange.renameColumn("f", "g"),
            SchemaChange.addColumn("new", DataTypes.INT()));
    assertSame(table, "files");
    assertSame(table, "schemas");
  }

  @Test
  void an_empty_table_has_a_schema_and_nothing_else() throws Exception {
    PaimonTable table =
        new PaimonTables(directory)
            .create("t", List.of("k INT NOT NULL"), List.of(), List.of("k"), Map.of("bucket", "1"));
    for (String name : SystemTables.names()) {
      if (name.equals("schemas")) {
        assertSame(table, name);
      } else if (!name.equals("options")) {
        assertThat(rows(table, name, 0)).as(name).isEmpty();
      }
    }
  }

  @Test
  void bitmaps_are_listed_with_their_coding_whatever_it_is() throws Exception {
    for (boolean wide : new boolean[] {false, true}) {
      PaimonTable table =
          new PaimonTables(directory)
              .create(
                  wide ? "wide" : "narrow",
                  List.of("k INT NOT NULL", "v STRING"),
                  List.of(),
                  List.of("k"),
                  Map.of(
                      "bucket",
                      "1",
                      "deletion-vectors.enabled",
                      "true",
                      "deletion-vectors.bitmap64",
                      Boolean.toString(wide)));
      table.write(insert(1, "a"), insert(2, "b"), insert(3, "c"));
      table.write(insert(2, "B"), delete(3, null));
      List<List<Object>> bitmaps = rows(table, "deletion_bitmaps", 0);
      assertThat(bitmaps).hasSize(1);
      List<Object> index = rows(table, "table_indexes", 0).get(0);
      assertThat(bitmaps.get(0))
          .startsWith("{}", 0)
          .contains(3L, 2L, wide ? "BITMAP64" : "BITMAP32", index.get(3), (long) index.get(4) - 1);
      assertThat(bitmaps.get(0).get(2)).asString().contains("/bucket-0/data-");
      assertThat(rows(table, "levels", 0))
          .anySatisfy(level -> assertThat(level).endsWith(3L, sizeOf(table, 3), 2L, 1 / 3d));
      assertThat(rows(table, "deletion_bitmaps", 1)).isEmpty();
    }
  }

  @Test
  void a_delete_map_is_read_for_what_the_manifest_does_not_say() throws Exception {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t"),
            List.of("k INT NOT NULL", "v STRING"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1", "delete-map.enabled", "true"));
    table.write(insert(1, "a"), insert(2, "b"), insert(3, "c"));
    table.write(insert(2, "B"));
    assertThat(rows(table.table(), "deletion_bitmaps", 0))
        .singleElement()
        .satisfies(bitmap -> assertThat(bitmap).contains(3L, 1L, "DELETE_MAP"));
  }

  @Test
  void an_earlier_snapshot_shows_what_was_live_then() throws Exception {
    Path place = GoldenTables.unpack("pk_dv_basic", directory);
    PaimonTable table = new PaimonTables(directory.resolve("scratch")).open(place);
    for (long snapshot : new long[] {1, 6, 13}) {
      PaimonTable then = table.with("scan.snapshot-id", Long.toString(snapshot));
      for (String name : List.of("files", "manifests")) {
        assertThat(rows(table, name, snapshot))
            .as(name + " at " + snapshot)
            .containsExactlyInAnyOrderElementsOf(then.systemRows(name));
      }
    }
    assertThat(rows(table, "partitions", 1)).singleElement().asList().contains("{}", 200L, 1L);
  }

  @Test
  void tags_of_both_kinds_are_listed() throws Exception {
    PaimonTable table =
        new PaimonTables(directory)
            .create("t", List.of("k INT NOT NULL"), List.of(), List.of("k"), Map.of("bucket", "1"));
    table.write(insert(1));
    table.table().createTag("forever", 1);
    table.table().createTag("a while", 1, Duration.ofHours(36));
    assertSame(table, "tags");
  }

  @Test
  void indexes_of_files_are_listed_and_why_there_is_none() throws Exception {
    PaimonTable table =
        new PaimonTables(directory)
            .create(
                "t",
                List.of("k INT NOT NULL", "a INT", "b STRING"),
                List.of(),
                List.of("k"),
                Map.of(
                    "bucket", "1",
                    "deletion-vectors.enabled", "true",
                    "file-index.bitmap.columns", "a",
                    "file-index.bloom-filter.columns", "b",
                    "file-index.in-manifest-threshold", "1 b"));
    table.write(insert(1, 7, "x"), insert(2, 8, "y"));
    table =
        table.alter(
            SchemaChange.renameColumn("b", "c"),
            SchemaChange.addColumn("d", DataTypes.INT()),
            SchemaChange.removeOption("file-index.bloom-filter.columns"),
            SchemaChange.setOption("file-index.bloom-filter.columns", "c"),
            SchemaChange.setOption("file-index.bitmap.columns", "a,c,d"));
    List<List<Object>> rows = rows(table, "file_indexes", 0);
    assertThat(rows)
        .extracting(row -> List.of(row.get(4), row.get(5), row.get(8) == null))
        .containsExactlyInAnyOrder(
            List.of("a", "bitmap", true),
            List.of("c", "bloom-filter", true),
            List.of("c", "bitmap", false),
            List.of("d", "bitmap", false));
    assertThat(rows)
        .filteredOn(row -> row.get(8) == null)
        .allSatisfy(
            row -> {
              assertThat((long) row.get(6)).isPositive();
              assertThat(row.get(7)).asString().endsWith(".index");
            });
    assertThat(rows)
        .filteredOn(row -> row.get(4).equals("d"))
        .singleElement()
        .satisfies(
            row -> assertThat(row).endsWith("the column was added after the file was written"));
  }

  @Test
  void a_small_index_is_in_the_manifest() throws Exception {
    Path place = GoldenTables.unpack("pk_dv_file_index", directory);
    PaimonTable table = new PaimonTables(directory.resolve("scratch")).open(place);
    assertThat(rows(table, "file_indexes", 0))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.get(8)).isNull());
  }

  private long sizeOf(PaimonTable table, long rowCount) throws IOException {
    return rows(table, "files", 0).stream()
        .filter(file -> file.get(6).equals(rowCount))
        .mapToLong(file -> (long) file.get(7))
        .sum();
  }

  private static void assertSame(PaimonTable table, String name) throws IOException {
    SystemTable ours = SystemTables.find(name).orElseThrow();
    assertThat(PaimonRows.type(ours.rowType()).asSQLString())
        .isEqualTo(table.systemTable(name).rowType().asSQLString());
    assertThat(comparable(name, rows(table, name, 0)))
        .containsExactlyInAnyOrderElementsOf(comparable(name, table.systemRows(name)));
  }

  /**
   * Rows without what Paimon leaves to chance: its last update time is one of a file that went if
   * the manifests still speak of it, and its options are in no order.
   */
  private static List<List<Object>> comparable(String name, List<List<Object>> rows) {
    return switch (name) {
      case "partitions", "buckets" -> rows.stream().map(r -> r.subList(0, r.size() - 1)).toList();
      case "tags" -> rows.stream().map(SystemTablesTest::withMillis).toList();
      case "schemas" -> rows.stream().map(SystemTablesTest::withSortedOptions).toList();
      default -> rows;
    };
  }

  /** Paimon's rows have the nanoseconds of its files; Spark's cannot. */
  private static List<Object> withMillis(List<Object> tag) {
    List<Object> rounded = new ArrayList<>(tag);
    rounded.replaceAll(
        value -> value instanceof LocalDateTime time ? time.truncatedTo(ChronoUnit.MILLIS) : value);
    return rounded;
  }

  private static List<Object> withSortedOptions(List<Object> schema) {
    List<Object> sorted = new ArrayList<>(schema);
    sorted.set(4, Stream.of(schema.get(4).toString().split("[{},]")).sorted().toList());
    return sorted;
  }

  private static List<List<Object>> rows(PaimonTable table, String name, long snapshot)
      throws IOException {
    return rows(CoreTable.open(table.directory()).table(), name, snapshot);
  }

  /**
   * Rows of one of our system tables.
   *
   * @param snapshot 0 = the newest
   */
  private static List<List<Object>> rows(Table table, String name, long snapshot)
      throws IOException {
    SystemTable system = SystemTables.find(name).orElseThrow();
    Snapshot seen =
        snapshot == 0 ? table.snapshots().latest().orElse(null) : table.snapshots().get(snapshot);
    return system.rows(new Inspected(table, seen, ZoneId.systemDefault())).stream()
        .map(row -> PlainValues.of(row, system.rowType()))
        .toList();
  }
}
