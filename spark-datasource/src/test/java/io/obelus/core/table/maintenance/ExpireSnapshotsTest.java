package io.obelus.core.table.maintenance;

import static io.obelus.testing.PaimonTable.Row.delete;
import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanFilter;
import io.obelus.core.table.scan.ScanPlan;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.scan.Split;
import io.obelus.core.table.scan.SplitReader;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.GoldenRows;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.SameRows;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpireSnapshotsTest {

  private static final long EVER = Long.MAX_VALUE; // every snapshot is older than that

  @TempDir private Path directory;
  private int tables;

  private CoreTable create(Map<String, String> options) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(Map.of("bucket", "1", "write-only", "false"));
    all.putAll(options);
    return CoreTable.create(
        directory.resolve("t" + tables++),
        List.of("k BIGINT NOT NULL", "v STRING"),
        List.of(),
        List.of("k"),
        all);
  }

  /**
   * A table of eight snapshots, with bitmaps, files that two compactions replaced, and tags two =
   * 2, four = 4.
   */
  private CoreTable table() throws IOException {
    CoreTable table = create(Map.of());
    for (long k = 0; k < 3; k++) {
      table.write(insert(k, "a" + k), insert(k + 1, "b" + k), insert(100 + k, "c"));
    }
    table.write(delete(1L, null), delete(101L, null));
    table.compact(true);
    table.write(insert(2L, "d"));
    table.compact(true);
    table.write(insert(3L, "e"), insert(1L, "f"));
    assertThat(table.latestSnapshot()).isEqualTo(8);
    table.table().tags().create("two", table.table().snapshots().get(2), null);
    table.table().tags().create("four", table.table().snapshots().get(4), null);
    return table;
  }

  /** Rows of all snapshots and tags. */
  private static Map<String, List<List<Object>>> states(CoreTable table) throws IOException {
    Map<String, List<List<Object>>> states = new TreeMap<>();
    for (Snapshot snapshot : table.table().snapshots().all()) {
      states.put("snapshot " + snapshot.id(), table.rows(snapshot, LevelZero.MERGE));
    }
    for (Tag tag : table.table().tags().all()) {
      states.put("tag " + tag.name(), table.rows(tag.snapshot(), LevelZero.MERGE));
    }
    return states;
  }

  private static ExpireSnapshots.Result expire(Table table, int retainMax) throws IOException {
    return ExpireSnapshots.run(
        table, new ExpireSnapshots.Rules(1, retainMax, Long.MIN_VALUE, 100), false);
  }

  private static List<Path> files(CoreTable table) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(table.table().directory().root()))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // min, max, older than snapshot n, at once, gone
    "1, 100, 9, 100, 1 2 3 4 5 6 7",
    "3, 100, 9, 100, 1 2 3 4 5",
    "3, 100, 4, 100, 1 2 3",
    "3, 100, 9, 2, 1 2",
    "1, 3, 1, 100, 1 2 3 4 5",
    "1, 3, 1, 4, 1 2 3 4",
    "1, 3, 7, 100, 1 2 3 4 5 6",
    "8, 100, 9, 100, ''",
    "1, 100, 1, 100, ''",
    "1, 100, 9, 0, ''",
    "8, 8, 9, 100, ''"
  })
  void the_oldest_go_as_the_rules_say(int min, int max, long older, int atOnce, String gone)
      throws IOException {
    CoreTable table = table();
    long time = older > 8 ? EVER : table.table().snapshots().get(older).timeMillis();
    // times may be equal: then the younger one is as old
    Set<Long> times =
        table.table().snapshots().all().stream()
            .filter(snapshot -> snapshot.id() < older)
            .map(Snapshot::timeMillis)
            .collect(Collectors.toSet());
    assertThat(times.contains(time)).isFalse();
    var rules = new ExpireSnapshots.Rules(min, max, time, atOnce);
    var planned = ExpireSnapshots.run(table.table(), rules, true);
    assertThat(table.table().snapshots().ids()).hasSize(8);
    var done = ExpireSnapshots.run(table.table(), rules, false);
    assertThat(done).isEqualTo(planned);
    assertThat(done.snapshots().stream().map(String::valueOf).collect(Collectors.joining(" ")))
        .isEqualTo(gone);
    assertThat(table.table().snapshots().ids()).hasSize(8 - done.snapshots().size());
    if (!done.snapshots().isEmpty()) {
      assertThat(table.table().snapshots().earliest().orElseThrow().id())
          .isEqualTo(done.snapshots().size() + 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 1", "2, 1, 1", "1, 1, -1"})
  void rules_that_contradict_themselves_are_refused(int min, int max, int atOnce) {
    assertThatThrownBy(() -> new ExpireSnapshots.Rules(min, max, 0, atOnce))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("snapshots are to be kept");
  }

  @Test
  void what_is_needed_stays_and_all_else_goes() throws Exception {
    CoreTable table = table();
    Map<String, List<List<Object>>> before = states(table);
    int files = files(table).size();
    var result = expire(table.table(), 1);
    assertThat(result.snapshots()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(result.dataFiles()).isPositive();
    assertThat(result.indexFiles()).isPositive();
    assertThat(result.metadataFiles()).isPositive();
    assertThat(result.bytes()).isPositive();
    assertThat(files(table).size())
        .isEqualTo(
            files
                + 1 // EARLIEST
                - (result.dataFiles() + result.indexFiles() + result.metadataFiles() + 7));
    Map<String, List<List<Object>>> after = states(table);
    assertThat(after.keySet()).containsExactly("snapshot 8", "tag four", "tag two");
    after.forEach((state, rows) -> assertThat(rows).as(state).isEqualTo(before.get(state)));
    assertThat(RemoveOrphanFiles.run(table.table(), Instant.now(), true)).isEmpty();

    PaimonTable theirs =
        new PaimonTables(directory).open(Path.of(table.table().directory().root()));
    assertThat(theirs.rows()).isEqualTo(before.get("snapshot 8"));
    assertThat(theirs.with("scan.tag-name", "two").rows()).isEqualTo(before.get("tag two"));
    assertThat(theirs.with("scan.tag-name", "four").rows()).isEqualTo(before.get("tag four"));
    theirs.write(insert(77L, "z"));
    assertThat(table.rows()).isEqualTo(theirs.rows());
  }

  @Test
  void a_deleted_tag_takes_along_what_only_it_kept() throws IOException {
    CoreTable table = table();
    Map<String, List<List<Object>>> before = states(table);
    expire(table.table(), 1);
    var result = DeleteTag.of(table.table(), "two");
    assertThat(result.snapshot()).isEqualTo(2);
    assertThat(result.files()).isPositive();
    assertThat(states(table).get("tag four")).isEqualTo(before.get("tag four"));
    table.table().tags().create("eight", table.table().snapshots().get(8), null);
    assertThat(DeleteTag.of(table.table(), "eight").files()).isZero();
    assertThat(DeleteTag.of(table.table(), "four").files()).isPositive();
    assertThat(states(table)).isEqualTo(Map.of("snapshot 8", before.get("snapshot 8")));
    assertThat(RemoveOrphanFiles.run(table.table(), Instant.now(), true)).isEmpty();
    assertThatThrownBy(() -> DeleteTag.of(table.table(), "four"))
        .hasMessageContaining("has no tag 'four'; it has none");
  }

  @Test
  void a_tag_of_a_tagged_snapshot_can_go_without_harm() throws IOException {
    CoreTable table = table();
    Map<String, List<List<Object>>> before = states(table);
    table.table().tags().create("zwei", table.table().snapshots().get(2), null);
    expire(table.table(), 1);
    assertThat(DeleteTag.of(table.table(), "two").files()).isZero();
    assertThat(states(table).get("tag zwei")).isEqualTo(before.get("tag two"));
    assertThat(DeleteTag.of(table.table(), "zwei").files()).isPositive();
  }

  private CoreTable copy(Path original) throws IOException {
    Path copy = directory.resolve("t" + tables++);
    try (Stream<Path> files = Files.walk(original)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, copy.resolve(original.relativize(file).toString()));
      }
    }
    return CoreTable.open(copy);
  }

  /** Something that changes the table and may die. */
  private interface Upkeep {
    void run(CoreTable table) throws IOException;
  }

  private void diesAtEachStep(Upkeep upkeep) throws IOException {
    Path original = Path.of(table().table().directory().root());
    Map<String, List<List<Object>>> before = states(CoreTable.open(original));
    // Dying after an operation leaves what dying before the next one does.
    for (int step = 1; ; step++) {
      CoreTable table = copy(original);
      FailingStorage storage = FailingStorage.dyingAt(step, table.table().storage());
      try {
        upkeep.run(table.on(storage));
      } catch (IOException | RuntimeException e) {
        assertThat(e).hasStackTraceContaining("broken on purpose");
      }
      Map<String, List<List<Object>>> after = states(table);
      assertThat(after).containsKey("snapshot 8");
      for (Map.Entry<String, List<List<Object>>> state : after.entrySet()) {
        assertThat(state.getValue())
            .as("%s after step %d", state.getKey(), step)
            .isEqualTo(before.get(state.getKey()));
      }
      if (!storage.hasFailed()) {
        break;
      }
      upkeep.run(table);
      RemoveOrphanFiles.run(table.table(), Instant.now(), false);
      assertThat(states(table)).as("step %d", step).isNotEmpty();
      assertThat(RemoveOrphanFiles.run(table.table(), Instant.now(), true)).isEmpty();
    }
  }

  @Test
  void wherever_an_expiry_dies_all_that_is_there_reads() throws IOException {
    diesAtEachStep(table -> expire(table.table(), 2));
  }

  @Test
  void wherever_the_deletion_of_a_tag_dies_all_that_is_there_reads() throws IOException {
    diesAtEachStep(
        table -> {
          expire(table.table(), 2);
          for (String tag : table.table().tags().names()) {
            DeleteTag.of(table.table(), tag);
          }
        });
  }

  @Test
  void a_scan_whose_snapshot_expires_says_so() throws IOException {
    CoreTable table = table();
    Snapshot old = table.table().snapshots().get(3);
    RowType columns = table.table().schema().rowType();
    List<Split> splits =
        ScanPlan.of(table.table(), old, Predicate.ALWAYS, LevelZero.MERGE).splits();
    expire(table.table(), 1);
    assertThatThrownBy(() -> ScanPlan.of(table.table(), old, Predicate.ALWAYS, LevelZero.MERGE))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("snapshot 3 has expired since this began (")
        .hasMessageContaining(
            "Run the statement again; 'snapshot.time-retained' and 'snapshot.num-retained.min'"
                + " keep snapshots longer");
    assertThatThrownBy(() -> readAll(table, columns, splits))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("If its snapshot has expired since this began, run the statement");
  }

  private static void readAll(CoreTable table, RowType columns, List<Split> splits)
      throws IOException {
    ScanFilter all = ScanFilter.of(Predicate.ALWAYS);
    for (Split split : splits) {
      try (SplitReader reader =
          new SplitReader(table.table(), columns, all, BatchSettings.DEFAULT, split)) {
        while (reader.next() != null) {
          continue;
        }
      }
    }
  }

  @Test
  void a_tag_made_meanwhile_keeps_its_files() throws IOException {
    CoreTable table = table();
    Map<String, List<List<Object>>> before = states(table);
    FailingStorage storage =
        FailingStorage.counting(table.table().storage())
            .before(
                operation -> operation.matches("delete .*/snapshot-1"),
                () -> table.table().tags().create("5", table.table().snapshots().get(5), null));
    expire(table.on(storage).table(), 1);
    assertThat(states(table).get("tag 5")).isEqualTo(before.get("snapshot 5"));
  }

  @Test
  void a_stream_of_another_engine_holds_back_what_it_has_still_to_read() throws IOException {
    CoreTable table = table();
    Path consumers = Path.of(table.table().directory().root(), "consumer");
    Files.createDirectories(consumers);
    Files.writeString(consumers.resolve("consumer-a"), "{\n  \"nextSnapshot\" : 6\n}");
    Files.writeString(consumers.resolve("consumer-b"), "{\n  \"nextSnapshot\" : 4\n}");
    assertThat(expire(table.table(), 1).snapshots()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void a_table_that_keeps_changelogs_longer_is_left_alone() throws IOException {
    CoreTable table = table().with("changelog.time-retained", "1 d");
    assertThatThrownBy(() -> expire(table.table(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("option 'changelog.time-retained' = '1 d' is not supported");
    assertThat(table.table().snapshots().ids()).hasSize(8);
  }

  @Test
  void after_a_commit_nothing_is_looked_at_that_need_not_be() throws IOException {
    CoreTable table = table();
    FailingStorage storage = FailingStorage.counting(table.table().storage());
    AfterCommit.run(table.on(storage).table(), table.table().snapshots().latest().orElseThrow());
    assertThat(storage.operations()).isEmpty();
    AfterCommit.run(
        table.on(storage).with("snapshot.num-retained.min", "2").table(),
        table.table().snapshots().latest().orElseThrow());
    assertThat(storage.operations()).hasSizeLessThanOrEqualTo(4); // all are younger than an hour
    AfterCommit.run(
        table
            .on(storage)
            .with("write-only", "true")
            .with("snapshot.num-retained.min", "2")
            .with("snapshot.time-retained", "0 s")
            .table(),
        table.table().snapshots().latest().orElseThrow());
    assertThat(table.table().snapshots().ids()).hasSize(8);
    AfterCommit.run(
        table.with("snapshot.num-retained.min", "2").with("snapshot.time-retained", "0 s").table(),
        table.table().snapshots().latest().orElseThrow());
    assertThat(table.table().snapshots().ids()).hasSize(2);
  }

  @Test
  void an_expiry_that_fails_leaves_the_commit_alone() throws IOException {
    CoreTable table = table();
    FailingStorage storage = FailingStorage.dyingAt(3, table.table().storage());
    AfterCommit.run(
        table
            .on(storage)
            .with("snapshot.num-retained.min", "2")
            .with("snapshot.time-retained", "0 s")
            .table(),
        table.table().snapshots().latest().orElseThrow());
    assertThat(storage.hasFailed()).isTrue();
    assertThat(states(table)).hasSize(10);
  }

  @Test
  void the_tags_and_the_branch_of_a_golden_table_outlive_its_snapshots() throws Exception {
    Path place = GoldenTables.unpack("pk_tags_branch_expire", directory);
    CoreTable table = CoreTable.open(place);
    RowType type = table.table().schema().rowType();
    assertThat(expire(table.table(), 1).snapshots()).hasSize(7);
    RemoveOrphanFiles.run(table.table(), Instant.now(), false);
    for (String tag : List.of("t1", "release-4")) {
      SameRows.check(
          tag,
          table.rows(table.table().tags().get(tag).snapshot(), LevelZero.SKIP),
          GoldenRows.of("pk_tags_branch_expire", "tag-" + tag, type));
    }
    SameRows.check(
        "newest", table.rows(), GoldenRows.of("pk_tags_branch_expire", "expected", type));
    PaimonTable dev = new PaimonTables(directory).open(place).branch("dev");
    SameRows.check("dev", dev.rows(), GoldenRows.of("pk_tags_branch_expire", "branch-dev", type));
    for (long id = 8; id <= 12; id++) {
      assertThat(dev.rows(id)).as("snapshot %d of dev", id).isNotEmpty();
    }
  }
}
