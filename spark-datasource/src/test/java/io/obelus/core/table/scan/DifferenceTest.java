package io.obelus.core.table.scan;

import static io.obelus.testing.PaimonTable.Row.delete;
import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.catalog.FileSystemCatalog;
import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DifferenceTest {

  @TempDir private Path directory;
  private int tables;

  private CoreTable table(List<String> key, Map<String, String> options) throws IOException {
    Map<String, String> all = new HashMap<>(options);
    if (!key.isEmpty()) {
      all.putIfAbsent("bucket", "1");
    }
    return CoreTable.create(
        directory.resolve("t" + tables++),
        List.of("k BIGINT NOT NULL", "v STRING", "n INT"),
        List.of(),
        key,
        all);
  }

  /** Kind, then values, in no particular order; empty snapshot ids are the beginning. */
  private static List<List<Object>> changes(
      Table table, Snapshot before, Snapshot after, boolean allKinds, int capacity)
      throws IOException {
    return rows(
        table, DifferencePlan.between(table, before, after, Predicate.ALWAYS), allKinds, capacity);
  }

  private static List<List<Object>> rows(
      Table table, List<Difference> differences, boolean allKinds, int capacity)
      throws IOException {
    RowType type = table.schema().rowType();
    List<Column> columns = new ArrayList<>(type.columns());
    columns.add(DifferenceReader.ROW_KIND);
    RowType withKind = new RowType(columns);
    List<List<Object>> rows = new ArrayList<>();
    for (Difference difference : differences) {
      try (DifferenceReader reader =
          new DifferenceReader(
              table, type, allKinds, new BatchSettings(capacity, false), difference)) {
        for (ColumnarBatch batch = reader.next(); batch != null; batch = reader.next()) {
          assertThat(batch.numRows()).isPositive().isLessThanOrEqualTo(capacity);
          for (int i = 0; i < batch.numRows(); i++) {
            List<Object> row = PlainValues.of(batch.getRow(i), withKind);
            List<Object> turned = new ArrayList<>(List.of(row.get(type.size())));
            turned.addAll(row.subList(0, type.size()));
            rows.add(turned);
          }
        }
      }
    }
    return rows;
  }

  private static List<List<Object>> changes(CoreTable table, long before, long after)
      throws IOException {
    Table core = table.table();
    return changes(
        core,
        before == 0 ? null : core.snapshots().get(before),
        core.snapshots().get(after),
        true,
        100);
  }

  @Test
  void each_kind_of_change_is_told_and_what_moved_is_none() throws IOException {
    CoreTable table = table(List.of("k"), Map.of());
    table.write(insert(1L, "a", 1), insert(2L, "b", 2), insert(3L, "c", 3), insert(4L, "d", 4));
    table.write(insert(2L, "B", 2), delete(3L, null, null), insert(5L, "e", null));
    table.write(insert(4L, "d", 4)); // as it was
    table.compact(true);
    assertThat(changes(table, 1, 4))
        .containsExactly(
            List.of("-U", 2L, "b", 2),
            List.of("+U", 2L, "B", 2),
            List.of("-D", 3L, "c", 3),
            Arrays.asList("+I", 5L, "e", null));
    assertThat(changes(table, 2, 4)).isEmpty();
    assertThat(changes(table, 4, 4)).isEmpty();
    assertThat(changes(table, 0, 1)).hasSize(4).allMatch(row -> row.get(0).equals("+I"));
    Table core = table.table();
    assertThat(changes(core, core.snapshots().get(1), core.snapshots().get(2), false, 1))
        .containsExactly(List.of("+U", 2L, "B", 2), Arrays.asList("+I", 5L, "e", null));
  }

  @Test
  void partition_values_are_those_of_the_partition_whatever_a_file_holds() throws IOException {
    for (List<String> key : List.of(List.of("k", "p"), List.<String>of())) {
      CoreTable parted =
          CoreTable.create(
              directory.resolve("t" + tables++),
              List.of("k BIGINT NOT NULL", "p INT NOT NULL", "v STRING"),
              List.of("p"),
              key,
              key.isEmpty() ? Map.of() : Map.of("bucket", "1"));
      parted.write(insert(1L, 3, "a"), insert(2L, 3, "b"));
      Table core = parted.table();
      Difference found =
          DifferencePlan.between(core, null, core.snapshots().get(1), Predicate.ALWAYS).get(0);
      BinaryRows partitions = new BinaryRows(core.schema().partitionType());
      RowBytes seven = new RowBytes(partitions.write(new GenericInternalRow(new Object[] {7})));
      Difference moved =
          new Difference(
              new BucketId(seven, found.bucket().bucket()),
              found.before(),
              found.after(),
              found.merge());
      assertThat(rows(core, List.of(moved), true, 100))
          .containsExactlyInAnyOrder(List.of("+I", 1L, 7, "a"), List.of("+I", 2L, 7, "b"));
    }
  }

  @Test
  void only_what_differs_is_read() throws IOException {
    CoreTable table = table(List.of("k"), Map.of("bucket", "4", "write-only", "true"));
    List<Row> rows = new ArrayList<>();
    for (long k = 0; k < 5000; k++) {
      rows.add(insert(k, "value " + k, 0));
    }
    table.write(rows);
    table.write(insert(17L, "new", 0));
    FailingStorage storage = FailingStorage.counting(table.table().storage());
    assertThat(changes(table.on(storage), 1, 2)).hasSize(2);
    long opened =
        storage.operations().stream()
            .filter(o -> o.matches("open .*/bucket-.*"))
            .distinct()
            .count();
    assertThat(opened).isEqualTo(2); // of one bucket: the struck-out row's file and the new one
  }

  @Test
  void rows_without_a_key_come_and_go_until_they_are_rewritten() throws Exception {
    PaimonTable theirs =
        new PaimonTables(directory)
            .create(
                "a",
                List.of("k BIGINT NOT NULL", "v STRING", "n INT"),
                List.of(),
                List.of(),
                Map.of("bucket", "-1"));
    theirs.write(insert(1L, "a", 1), insert(1L, "a", 1));
    theirs.write(insert(1L, "a", 1));
    CoreTable table = CoreTable.open(directory.resolve("warehouse/db.db/a"));
    assertThat(changes(table, 1, 2)).containsExactly(List.of("+I", 1L, "a", 1));
    new Commit(table.table(), table.table().snapshots().get(2))
        .overwrite(List.of(), partition -> true);
    assertThatThrownBy(() -> changes(table, 1, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no primary key, and data file data-")
        .hasMessageContaining("of snapshot 1 is not in snapshot 3 any more");
  }

  @Test
  void another_number_of_buckets_is_refused() throws IOException {
    CoreTable table = table(List.of("k"), Map.of());
    table.write(insert(1L, "a", 1));
    FileSystemCatalog catalog =
        new FileSystemCatalog(table.table().storage(), directory.toString());
    catalog.alter(table.table(), Map.of("bucket", "2"), Set.of());
    CoreTable wider = CoreTable.open(directory.resolve("t0"));
    new Commit(wider.table(), wider.table().snapshots().get(1))
        .overwrite(List.of(), partition -> true);
    wider.write(insert(1L, "a", 1), insert(2L, "b", 1), insert(3L, "b", 1));
    assertThatThrownBy(() -> changes(wider, 1, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "t0: partition '' has another number of buckets at snapshot 3 than before");
    assertThat(changes(wider, 2, 3)).hasSize(3);
  }

  @Test
  void changes_lead_from_one_snapshot_to_the_other() {
    Seeds.each(
        3,
        random -> {
          CoreTable table = randomTable(random);
          PaimonTable theirs =
              new PaimonTables(directory).open(directory.resolve(table.table().name()));
          for (int step = 0; step < 12; step++) {
            switch (random.nextInt(6)) {
              case 0 -> theirs.write(rows(random));
              case 1 -> theirs.with("write-only", "true").write(rows(random));
              case 2 -> table.compact(random.nextBoolean());
              default -> table.write(rows(random));
            }
          }
          List<Snapshot> all = new ArrayList<>();
          all.add(null);
          all.addAll(table.table().snapshots().all());
          for (int i = 0; i < 15; i++) {
            int to = 1 + random.nextInt(all.size() - 1);
            compare(table, all.get(random.nextInt(to + 1)), all.get(to), random);
          }
        });
  }

  private CoreTable randomTable(Random random) throws IOException {
    return table(
        List.of("k"),
        Map.of(
            "bucket",
            Integer.toString(1 + random.nextInt(3)),
            "deletion-vectors.enabled",
            Boolean.toString(random.nextInt(3) > 0),
            "num-sorted-run.compaction-trigger",
            Integer.toString(2 + random.nextInt(4))));
  }

  private static List<Row> rows(Random random) {
    List<Row> rows = new ArrayList<>();
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      Object[] values = {(long) random.nextInt(40), "v" + random.nextInt(3), random.nextInt(2)};
      rows.add(random.nextInt(4) == 0 ? Row.delete(values) : Row.insert(values));
    }
    return rows;
  }

  private static void compare(CoreTable table, Snapshot before, Snapshot after, Random random)
      throws IOException {
    Map<Object, List<Object>> was = byKey(table, before);
    Map<Object, List<Object>> is = byKey(table, after);
    Map<Object, List<List<Object>>> expected = new LinkedHashMap<>();
    was.forEach(
        (key, row) -> {
          if (!is.containsKey(key)) {
            expected.put(key, List.of(kinded("-D", row)));
          } else if (!is.get(key).equals(row)) {
            expected.put(key, List.of(kinded("-U", row), kinded("+U", is.get(key))));
          }
        });
    is.forEach(
        (key, row) -> {
          if (!was.containsKey(key)) {
            expected.put(key, List.of(kinded("+I", row)));
          }
        });
    Map<Object, List<List<Object>>> found = new LinkedHashMap<>();
    int capacity = 1 + random.nextInt(20);
    for (List<Object> row : changes(table.table(), before, after, true, capacity)) {
      found.computeIfAbsent(row.get(1), key -> new ArrayList<>()).add(row);
    }
    assertThat(found).isEqualTo(expected);
    assertThat(changes(table.table(), before, after, false, capacity))
        .containsExactlyInAnyOrderElementsOf(
            expected.values().stream()
                .flatMap(List::stream)
                .filter(row -> row.get(0).toString().startsWith("+"))
                .toList());
  }

  private static List<Object> kinded(String kind, List<Object> row) {
    List<Object> kinded = new ArrayList<>(List.of(kind));
    kinded.addAll(row);
    return kinded;
  }

  private static Map<Object, List<Object>> byKey(CoreTable table, Snapshot snapshot)
      throws IOException {
    Map<Object, List<Object>> rows = new TreeMap<>();
    if (snapshot != null) {
      table.rows(snapshot, LevelZero.MERGE).forEach(row -> rows.put(row.get(0), row));
    }
    return rows;
  }
}
