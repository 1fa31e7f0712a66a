package io.obelus.core.table.maintenance;

import static io.obelus.testing.PaimonTable.Row.delete;
import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.catalog.FileSystemCatalog;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.schema.ColumnChange;
import io.obelus.core.table.schema.ColumnChanges;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastForwardTest {

  @TempDir private Path directory;
  private int tables;

  /** Snapshots 1 and 2 are of both, 3 to 5 of the table, 3 and 4 of branch b. */
  private CoreTable table() throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t" + tables++),
            List.of("k BIGINT NOT NULL", "v STRING"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1"));
    table.write(insert(1L, "a"));
    table.write(insert(2L, "a"));
    table.table().tags().create("first", table.table().snapshots().get(1), null);
    table.table().tags().create("begin", table.table().snapshots().get(2), null);
    table.table().branches().create("b", "begin");
    for (long n = 3; n <= 5; n++) {
      table.write(insert(n, "own"));
    }
    table.table().tags().create("own", table.table().snapshots().get(4), null);
    CoreTable branch = table.onBranch("b");
    branch.write(insert(1L, "theirs"));
    branch.table().tags().create("theirs", branch.table().snapshots().get(3), null);
    branch.write(insert(9L, "theirs"));
    return table;
  }

  /** A copy of the first table. */
  private CoreTable copy() throws IOException {
    Path from = directory.resolve("t0");
    Path to = directory.resolve("t" + tables++);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return CoreTable.open(to);
  }

  private static final List<List<Object>> THEIRS =
      List.of(List.of(1L, "theirs"), List.of(2L, "a"), List.of(9L, "theirs"));

  private static void expire(CoreTable table, int kept) throws IOException {
    ExpireSnapshots.run(
        table.table(), new ExpireSnapshots.Rules(1, kept, Long.MIN_VALUE, 100), false);
  }

  @Test
  void the_table_becomes_what_its_branch_is() throws Exception {
    CoreTable table = table();
    Table core = table.table();
    FastForward.Result expected = new FastForward.Result(5, 4, List.of(5L, 4L, 3L), List.of("own"));
    assertThat(FastForward.to(core, "b", true)).isEqualTo(expected);
    assertThat(table.rows()).hasSize(5);
    assertThat(FastForward.to(core, "b", false)).isEqualTo(expected);
    assertThat(table.rows()).isEqualTo(THEIRS);
    assertThat(core.snapshots().ids()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(core.tags().names()).containsExactly("begin", "first", "theirs");
    var theirs = new PaimonTables(directory).open(directory.resolve("t0"));
    assertThat(theirs.rows()).isEqualTo(THEIRS);

    table.write(delete(9L, null));
    table.onBranch("b").write(insert(10L, "again"));
    assertThat(table.rows()).hasSize(2);
    assertThat(table.onBranch("b").rows()).hasSize(4);
    assertThat(FastForward.to(core, "b", false))
        .isEqualTo(new FastForward.Result(5, 5, List.of(5L), List.of()));
    assertThat(table.rows()).isEqualTo(table.onBranch("b").rows()).hasSize(4);
    theirs.write(insert(11L, "x"));
    assertThat(table.rows()).hasSize(5);
  }

  @Test
  void files_that_the_table_took_over_stay_as_long_as_the_branch_needs_them() throws IOException {
    CoreTable table = table();
    FastForward.to(table.table(), "b", false);
    CoreTable branch = table.onBranch("b");
    List<List<Object>> third = branch.rows(3, LevelZero.MERGE);
    branch.write(insert(12L, "x"));
    branch.compact(true);
    table.compact(true);
    table.write(insert(13L, "y"));
    expire(table, 1);
    RemoveOrphanFiles.run(table.table(), Instant.now(), false);
    assertThat(branch.rows(3, LevelZero.MERGE)).isEqualTo(third);
    expire(branch, 1);
    RemoveOrphanFiles.run(branch.table(), Instant.now(), false);
    assertThat(branch.rows()).hasSize(4);
    assertThat(table.rows()).hasSize(4);
  }

  @Test
  @DamagesTables(
      value = "what has expired in the branch is missing between its snapshots and the table's",
      finds = "snapshot")
  void a_snapshot_that_only_a_tag_holds_is_where_they_parted() throws IOException {
    CoreTable table = table();
    expire(table, 2);
    expire(table.onBranch("b"), 1);
    assertThat(FastForward.to(table.table(), "b", false))
        .isEqualTo(new FastForward.Result(5, 4, List.of(5L, 4L), List.of("own")));
    assertThat(table.table().snapshots().ids()).containsExactly(2L, 4L);
    assertThat(table.rows()).isEqualTo(THEIRS);
    assertThat(table.table().tags().names()).containsExactly("begin", "first", "theirs");
    table.write(insert(10L, "x"));
    assertThat(table.latestSnapshot()).isEqualTo(5);
  }

  @Test
  void a_branch_that_began_without_rows_replaces_all_there_is() throws IOException {
    CoreTable table = table();
    table.table().branches().create("empty", null);
    assertThatThrownBy(() -> FastForward.to(table.table(), "empty", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("t0$branch_empty has no snapshot to go forward to");
    CoreTable empty = table.onBranch("empty");
    empty.write(insert(7L, "x"));
    empty.write(insert(8L, "x"));
    assertThat(FastForward.to(table.table(), "empty", false))
        .isEqualTo(
            new FastForward.Result(
                5, 2, List.of(5L, 4L, 3L, 2L, 1L), List.of("begin", "first", "own")));
    assertThat(table.rows()).isEqualTo(empty.rows()).hasSize(2);
  }

  @Test
  void it_is_refused_if_it_cannot_be_told_where_they_parted() throws IOException {
    CoreTable table = table();
    CoreTable branch = table.onBranch("b");
    expire(branch, 1);
    DeleteTag.of(branch.table(), "begin");
    assertThatThrownBy(() -> FastForward.to(table.table(), "b", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "t0: it cannot be told which of its snapshots and tags branch 'b' began with, since"
                + " none from 1 on is in the branch, which begins with 4 by now.");
    assertThat(table.rows()).hasSize(5);
    assertThatThrownBy(() -> FastForward.to(branch.table(), "b", false))
        .hasMessageStartingWith("t0$branch_b is a branch; only the table itself goes forward");
    assertThatThrownBy(() -> FastForward.to(table.table(), "c", false))
        .hasMessage("t0 has no branch 'c'; it has b");
  }

  @Test
  void a_tag_that_means_two_snapshots_is_named() throws IOException {
    CoreTable table = table();
    CoreTable branch = table.onBranch("b");
    branch.table().tags().create("first", branch.table().snapshots().get(4), null);
    assertThatThrownBy(() -> FastForward.to(table.table(), "b", false))
        .hasMessage(
            "tag 'first' is snapshot 1 of t0 and snapshot 4 of branch 'b'; rename one of the two");
    assertThat(table.rows()).hasSize(5);
  }

  @Test
  void schemas_become_those_of_the_branch() throws IOException {
    CoreTable table = table();
    FileSystemCatalog catalog =
        new FileSystemCatalog(table.table().storage(), directory.toString());
    catalog.alter(table.table(), Map.of("target-file-size", "1 mb"), Set.of());
    catalog.alter(table.table(), Map.of("target-file-size", "2 mb"), Set.of());
    catalog.alter(table.table().onBranch("b"), Map.of("target-file-size", "9 mb"), Set.of());
    table.onBranch("b").write(insert(20L, "x"));
    FastForward.to(table.table(), "b", false);
    CoreTable after = CoreTable.open(directory.resolve("t0"));
    assertThat(after.table().schemas().ids()).containsExactly(0L, 1L);
    assertThat(after.table().schema().options()).containsEntry("target-file-size", "9 mb");
    assertThat(after.rows()).hasSize(4);
  }

  @Test
  void rows_written_by_a_schema_that_is_another_one_by_now_are_refused() throws IOException {
    CoreTable table = table();
    FileSystemCatalog catalog =
        new FileSystemCatalog(table.table().storage(), directory.toString());
    catalog.alter(table.table(), added("own", DataTypes.IntegerType));
    catalog.alter(table.onBranch("b").table(), added("theirs", DataTypes.StringType));
    CoreTable.Pending pending =
        CoreTable.open(directory.resolve("t0")).prepare(List.of(insert(30L, "x", 7)));
    FastForward.to(table.table(), "b", false);
    assertThatThrownBy(pending::commit)
        .isInstanceOf(CommitConflictException.class)
        .hasMessage(
            "table t0: its columns or keys are no longer those of schema 1 that this statement"
                + " began with; the table was created again or went forward to a branch. Nothing"
                + " of it was committed; run it again.");
    assertThat(CoreTable.open(directory.resolve("t0")).rows()).hasSize(3);
  }

  private static ColumnChanges added(String column, DataType type) {
    return new ColumnChanges(
        List.of(
            new ColumnChange.Add(List.of(column), type, true, null, ColumnChange.Position.LAST)));
  }

  @Test
  @DamagesTables(
      value = "what has expired in the branch is missing between its snapshots and the table's",
      finds = "snapshot")
  void whenever_it_dies_the_table_is_at_a_snapshot_of_its_own_or_of_the_branch()
      throws IOException {
    CoreTable original = table();
    List<List<List<Object>>> states = new ArrayList<>();
    for (CoreTable line : List.of(original, original.onBranch("b"))) {
      for (Snapshot snapshot : line.table().snapshots().all()) {
        states.add(line.rows(snapshot, LevelZero.MERGE));
      }
    }
    for (boolean expired : new boolean[] {false, true}) {
      if (expired) {
        expire(original, 1);
        expire(original.onBranch("b"), 1);
      }
      for (int step = 1; ; step++) {
        CoreTable table = copy();
        FailingStorage storage = FailingStorage.dyingAt(step, table.table().storage());
        try {
          FastForward.to(table.on(storage).table(), "b", false);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("broken on purpose");
        }
        assertThat(table.rows()).as("dying at %d", step).isIn(states).isNotEmpty();
        FastForward.to(table.table(), "b", false);
        assertThat(table.rows()).isEqualTo(THEIRS);
        assertThat(table.table().tags().names()).containsExactly("begin", "first", "theirs");
        if (!storage.hasFailed()) {
          assertThat(table.onBranch("b").rows()).isEqualTo(THEIRS);
          break;
        }
      }
    }
  }

  @Test
  @DamagesTables(
      value = "what has expired in the branch is missing between its snapshots and the table's",
      finds = "snapshot")
  void the_hint_of_the_oldest_snapshot_is_right_though_a_call_died_before_it() throws IOException {
    CoreTable table = table();
    expire(table, 1);
    expire(table.onBranch("b"), 1);
    FailingStorage storage =
        FailingStorage.counting(table.table().storage())
            .before(
                operation -> operation.matches("overwrite .*t0/snapshot/EARLIEST"),
                () -> {
                  throw new IOException("broken on purpose");
                });
    assertThatThrownBy(() -> FastForward.to(table.on(storage).table(), "b", false))
        .hasMessage("broken on purpose");
    FastForward.to(table.table(), "b", false);
    assertThat(table.table().snapshots().ids()).containsExactly(2L, 4L);
    assertThat(directory.resolve("t0/snapshot/EARLIEST")).hasContent("2");
  }

  @Test
  void a_commit_that_comes_in_between_is_named_and_taken_back_by_the_next_call()
      throws IOException {
    CoreTable table = table();
    FailingStorage storage =
        FailingStorage.counting(table.table().storage())
            .before(
                operation -> operation.matches("createIfAbsent .*t0/snapshot/snapshot-3"),
                () -> table.write(insert(30L, "other")));
    assertThatThrownBy(() -> FastForward.to(table.on(storage).table(), "b", false))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageStartingWith("t0: somebody else committed snapshot 3 while");
    assertThat(table.rows()).hasSize(3);
    FastForward.to(table.table(), "b", false);
    assertThat(table.rows()).isEqualTo(THEIRS);
  }
}
