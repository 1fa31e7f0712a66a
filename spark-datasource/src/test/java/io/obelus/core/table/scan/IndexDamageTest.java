package io.obelus.core.table.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.SameRows;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index files that are damaged, given up, left out or left over. */
class IndexDamageTest {

  private static final int DAMAGES = Integer.getInteger("damages", 60);

  private static final Map<String, String> ALL_KINDS =
      Map.of(
          "bucket", "1",
          "file-index.bitmap.columns", "s, n",
          "file-index.bsi.columns", "n",
          "file-index.bloom-filter.columns", "s, d",
          "file-index.range-bitmap.columns", "d, s",
          "file-index.bloom-filter.s.items", "500",
          "file-index.bloom-filter.d.items", "500");

  @TempDir Path directory;

  private CoreTable table(Map<String, String> options) throws IOException {
    Map<String, String> all = new HashMap<>(ALL_KINDS);
    all.putAll(options);
    Path at = Files.createTempDirectory(directory, "t").resolve("warehouse/db.db/t");
    return CoreTable.create(
        at,
        List.of("k INT NOT NULL", "s STRING", "n BIGINT", "d DOUBLE"),
        List.of(),
        List.of("k"),
        all);
  }

  private static List<Row> rows(Random random, CoreTable table, int count) {
    List<Row> rows = new ArrayList<>();
    RowType columns = columns(table);
    for (int k = 0; k < count; k++) {
      List<Object> values = PlainValues.of(RandomPredicates.row(random, columns, 6), columns);
      values.set(0, k);
      rows.add(Row.insert(values.toArray()));
    }
    return rows;
  }

  private static RowType columns(CoreTable table) {
    return table.table().schema().rowType();
  }

  private static List<List<Object>> matching(CoreTable table, Predicate condition, List<Row> rows) {
    RowType columns = columns(table);
    return rows.stream()
        .map(row -> Arrays.asList(row.values()))
        .filter(
            row -> Predicates.test(condition, PlainValues.row(row, columns), columns) == Truth.TRUE)
        .toList();
  }

  private static Path root(CoreTable table) {
    return Path.of(table.table().directory().root());
  }

  private static Set<String> filesEndingIn(String suffix, CoreTable table) throws IOException {
    try (Stream<Path> files = Files.walk(root(table))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(suffix))
          .collect(Collectors.toSet());
    }
  }

  @Test
  @DamagesTables("index files are damaged")
  void a_damaged_index_file_is_reported_or_changes_no_answer() {
    Seeds.each(
        3,
        random -> {
          CoreTable table = table(Map.of("file-index.in-manifest-threshold", "0 b"));
          List<Row> rows = rows(random, table, 1 + random.nextInt(300));
          table.write(rows);
          String name = filesEndingIn(".index", table).iterator().next();
          Path file = root(table).resolve("bucket-0").resolve(name);
          byte[] sound = Files.readAllBytes(file);
          int reported = 0;
          for (int i = 0; i < DAMAGES; i++) {
            Files.write(file, damaged(random, sound));
            Predicate condition = RandomPredicates.predicate(random, columns(table), 1);
            try {
              SameRows.check(
                  condition.toString(),
                  table.rows(columns(table), condition, 1),
                  matching(table, condition, rows));
            } catch (CorruptFileException | UnknownVersionException e) {
              assertThat(e).hasMessageContaining(name);
              reported++;
            }
          }
          assertThat(reported).isPositive();
        });
  }

  @Test
  void a_damaged_index_in_the_manifest_is_reported_or_changes_no_answer() {
    Seeds.each(3, random -> damageEmbedded(random, false));
  }

  /** Paimon keeps no checksums: damage may change what its index says, but not how it is read. */
  @Test
  void damage_to_an_index_of_paimon_ends_in_an_error_or_an_answer() {
    Seeds.each(3, random -> damageEmbedded(random, true));
  }

  private void damageEmbedded(Random random, boolean byPaimon) throws Exception {
    CoreTable table = table(Map.of("file-index.in-manifest-threshold", "10 mb"));
    List<Row> rows = rows(random, table, 1 + random.nextInt(300));
    if (byPaimon) {
      new PaimonTables(root(table).getParent().getParent().getParent())
          .open(root(table))
          .write(rows);
    } else {
      table.write(rows);
    }
    BucketState bucket =
        new LiveFiles(table.table(), table.table().snapshots().latest().orElseThrow())
            .buckets(id -> true)
            .get(0);
    DataFile file = bucket.files().get(0);
    byte[] sound = file.embeddedIndex().bytes();
    TreeMap<Integer, Integer> keysByPosition = keysByPosition(table);
    for (int i = 0; i < 10 * DAMAGES; i++) {
      DataFile other = withIndex(file, damaged(random, sound));
      Predicate condition = RandomPredicates.predicate(random, columns(table), 1);
      try {
        Candidates found =
            new IndexLookup(table.table(), ScanFilter.of(condition))
                .inFile(other, bucket.directory())
                .candidates();
        if (!byPaimon && !found.isAny()) {
          Set<Integer> left = new HashSet<>();
          found.positions().forEach(position -> left.add(keysByPosition.get((int) position)));
          assertThat(left)
              .as("%s", condition)
              .containsAll(
                  matching(table, condition, rows).stream()
                      .map(row -> (Integer) row.get(0))
                      .toList());
        }
      } catch (CorruptFileException | UnknownVersionException e) {
        assertThat(e).hasMessageContaining(file.name());
      }
    }
  }

  /** Rows lie in the order of their keys. */
  private static TreeMap<Integer, Integer> keysByPosition(CoreTable table) throws IOException {
    TreeMap<Integer, Integer> keys = new TreeMap<>();
    for (List<Object> row : table.rows()) {
      keys.put(keys.size(), (Integer) row.get(0));
    }
    return keys;
  }

  private static DataFile withIndex(DataFile file, byte[] index) {
    return new DataFile(
        file.name(),
        file.size(),
        file.rowCount(),
        file.minKey(),
        file.maxKey(),
        file.keyStats(),
        file.valueStats(),
        file.minSequence(),
        file.maxSequence(),
        file.schemaId(),
        file.level(),
        file.extraFiles(),
        file.creationTime(),
        file.deleteRowCount(),
        new RowBytes(index),
        file.source(),
        file.valueStatsColumns(),
        file.externalPath(),
        file.firstRowId(),
        file.writeColumns());
  }

  private static byte[] damaged(Random random, byte[] sound) {
    byte[] damaged =
        random.nextInt(4) == 0 ? Arrays.copyOf(sound, random.nextInt(sound.length)) : sound.clone();
    for (int i = damaged.length == sound.length ? 1 + random.nextInt(3) : 0; i > 0; i--) {
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return damaged;
  }

  @Test
  @DamagesTables("an index file is deleted")
  void an_index_file_that_is_gone_is_an_error() throws IOException {
    CoreTable table = table(Map.of("file-index.in-manifest-threshold", "0 b"));
    table.write(rows(new Random(1), table, 50));
    String name = filesEndingIn(".index", table).iterator().next();
    Files.delete(root(table).resolve("bucket-0").resolve(name));
    RowType columns = columns(table);
    Predicate condition = new Predicate.IsNull(columns.column(1));
    assertThatThrownBy(() -> table.rows(columns, condition, 1))
        .isInstanceOf(java.io.FileNotFoundException.class)
        .hasMessageContaining(name);
    assertThat(table.rows()).hasSize(50);
  }

  @Test
  void an_index_that_takes_too_much_memory_is_given_up() throws IOException {
    Random random = new Random(2);
    for (String memory : List.of("0 b", "1 kb", "20 kb", "64 mb")) {
      CoreTable table =
          table(
              Map.of("file-index.build-memory", memory, "file-index.in-manifest-threshold", "0 b"));
      List<Row> rows = rows(random, table, 6000);
      table.write(rows);
      assertThat(filesEndingIn(".index", table)).hasSize(memory.equals("0 b") ? 0 : 1);
      for (int i = 0; i < 10; i++) {
        Predicate condition = RandomPredicates.predicate(random, columns(table), 2);
        SameRows.check(
            "%s: %s".formatted(memory, condition),
            table.rows(columns(table), condition, 1),
            matching(table, condition, rows));
      }
    }
  }

  @Test
  void a_file_with_the_smallest_number_has_no_bsi() throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("smallest"),
            List.of("k INT NOT NULL", "n BIGINT"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1", "file-index.bsi.columns", "n"));
    RowType columns = columns(table);
    Predicate below = new Predicate.Compare(columns.column(1), Predicate.Comparison.LESS, 0L);
    table.write(Row.insert(1, 5L), Row.insert(2, -5L));
    assertThat(table.files()).allMatch(file -> file.embeddedIndex() != null);
    table.write(Row.insert(3, Long.MIN_VALUE), Row.insert(4, null), Row.insert(5, 7L));
    table.compact(true);
    assertThat(table.files()).hasSize(1).allMatch(file -> file.embeddedIndex() == null);
    assertThat(filesEndingIn(".index", table)).isEmpty();
    SameRows.check(
        "below 0",
        table.rows(columns, below, 1),
        List.of(List.of(2, -5L), List.of(3, Long.MIN_VALUE)));
  }

  @Test
  void a_write_that_fails_at_any_step_leaves_no_index_file() throws IOException {
    CoreTable table = table(Map.of("file-index.in-manifest-threshold", "0 b"));
    List<Row> rows = rows(new Random(3), table, 40);
    table.write(rows);
    for (int step = 1; ; step++) {
      FailingStorage storage = FailingStorage.failingAt(step, table.table().storage());
      try {
        table.on(storage).prepare(rows);
      } catch (IOException | UncheckedIOException e) {
        assertThat(e).hasMessageContaining("broken on purpose");
      }
      if (!storage.hasFailed()) {
        break;
      }
      if (storage.operations().get(step - 1).startsWith("delete")) {
        continue; // what cannot be deleted stays
      }
      Set<String> named = new HashSet<>();
      table.files().forEach(file -> named.addAll(file.extraFiles()));
      assertThat(filesEndingIn(".index", table))
          .as(storage.operations().get(step - 1))
          .isEqualTo(named);
    }
  }

  @Test
  void a_commit_that_is_too_late_deletes_its_index_files() throws IOException {
    CoreTable table = table(Map.of("file-index.in-manifest-threshold", "0 b"));
    List<Row> rows = rows(new Random(4), table, 40);
    table.write(rows);
    CoreTable.Pending late = table.prepare(rows);
    table.write(rows);
    Set<String> before = filesEndingIn(".parquet", table);
    assertThatThrownBy(late::commit).isInstanceOf(CommitConflictException.class);
    assertThat(filesEndingIn(".parquet", table)).hasSizeLessThan(before.size());
    assertThat(filesEndingIn(".index", table))
        .isEqualTo(
            filesEndingIn(".parquet", table).stream()
                .map(name -> name + ".index")
                .collect(Collectors.toSet()));
  }
}
