package io.obelus.core.table.maintenance;

import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CommitConflictException;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TimeTravel;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollbackTest {

  @TempDir private Path directory;
  private int tables;

  /** A table of five snapshots; snapshot n has keys 1 to n. */
  private CoreTable table() throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t" + tables++),
            List.of("k BIGINT NOT NULL", "v STRING"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1", "snapshot.num-retained.min", "1000"));
    for (long k = 1; k <= 5; k++) {
      table.write(insert(k, "v"));
    }
    return table;
  }

  private static Rollback.Result roll(Table table, String version) throws IOException {
    return Rollback.to(table, new TimeTravel(table).version(version), false);
  }

  @Test
  void the_wanted_snapshot_becomes_the_newest_and_what_came_after_is_gone() throws Exception {
    CoreTable ours = table();
    Table table = ours.table();
    table.tags().create("two", table.snapshots().get(2), null);
    table.tags().create("four", table.snapshots().get(4), null);
    Snapshot third = table.snapshots().get(3);
    assertThat(Rollback.to(table, third, true))
        .isEqualTo(new Rollback.Result(5, 3, List.of(5L, 4L), List.of("four")));
    assertThat(ours.rows()).hasSize(5);

    assertThat(Rollback.to(table, third, false))
        .isEqualTo(new Rollback.Result(5, 3, List.of(5L, 4L), List.of("four")));
    assertThat(ours.rows()).hasSize(3);
    assertThat(table.snapshots().ids()).containsExactly(1L, 2L, 3L);
    assertThat(table.tags().names()).containsExactly("two");

    ours.write(insert(9L, "w"));
    assertThat(ours.latestSnapshot()).isEqualTo(4);
    var theirs = new PaimonTables(directory).open(directory.resolve("t0"));
    assertThat(theirs.rows()).isEqualTo(ours.rows()).hasSize(4);
    theirs.write(insert(10L, "x"));
    assertThat(ours.rows()).hasSize(5);
  }

  @Test
  void going_back_to_where_the_table_is_changes_nothing() throws IOException {
    Table table = table().table();
    assertThat(roll(table, "5")).isEqualTo(new Rollback.Result(5, 5, List.of(), List.of()));
  }

  @Test
  void a_snapshot_that_only_a_tag_holds_comes_back() throws Exception {
    CoreTable ours = table();
    Table table = ours.table();
    table.tags().create("two", table.snapshots().get(2), null);
    for (long id : List.of(1L, 2L, 3L)) {
      table.snapshots().delete(id);
    }
    assertThat(roll(table, "two")).isEqualTo(new Rollback.Result(5, 2, List.of(5L, 4L), List.of()));
    assertThat(ours.rows()).hasSize(2);
    assertThat(table.snapshots().earliest().orElseThrow().id()).isEqualTo(2);
    var theirs = new PaimonTables(directory).open(directory.resolve("t0"));
    assertThat(theirs.rows()).isEqualTo(ours.rows());
    assertThat(theirs.table().snapshotManager().earliestSnapshotId()).isEqualTo(2);
  }

  @Test
  void a_tag_of_another_history_is_no_place_to_go_back_to() throws IOException {
    CoreTable ours = table();
    Table table = ours.table();
    Snapshot fifth = table.snapshots().get(5);
    roll(table, "4");
    assertThatThrownBy(() -> Rollback.to(table, fifth, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the wanted snapshot 5 was rolled back itself");
    ours.write(insert(9L, "w"));
    assertThatThrownBy(() -> Rollback.to(table, fifth, false))
        .hasMessageContaining("the wanted snapshot 5 was rolled back itself");
    assertThat(ours.rows()).hasSize(5);
  }

  @Test
  void whenever_it_dies_the_table_reads_and_it_can_be_ended() throws IOException {
    for (boolean expired : List.of(false, true)) {
      for (int step = 1; ; step++) {
        CoreTable ours = table();
        Table table = ours.table();
        table.tags().create("two", table.snapshots().get(2), null);
        table.tags().create("four", table.snapshots().get(4), null);
        if (expired) {
          for (long id : List.of(1L, 2L, 3L)) {
            table.snapshots().delete(id);
          }
        }
        FailingStorage storage = FailingStorage.dyingAt(step, table.storage());
        boolean done;
        try {
          roll(ours.on(storage).table(), "two");
          done = true;
        } catch (IOException e) {
          done = false;
        }
        long latest = ours.latestSnapshot();
        assertThat(latest).as("step %d", step).isBetween(2L, 5L);
        assertThat(ours.rows()).as("step %d", step).hasSize((int) latest);
        roll(table, "two");
        assertThat(ours.rows()).as("step %d", step).hasSize(2);
        assertThat(table.tags().names()).containsExactly("two");
        if (!storage.hasFailed()) {
          assertThat(done).isTrue();
          break;
        }
      }
    }
  }

  @Test
  @DamagesTables(value = "a rollback that died leaves a gap", finds = "snapshot")
  void whenever_it_dies_others_write_on_above_all_that_is_left() throws Exception {
    for (boolean expired : List.of(false, true)) {
      boolean died = true;
      for (int step = 1; died; step++) {
        CoreTable ours = table();
        Table table = ours.table();
        table.tags().create("two", table.snapshots().get(2), null);
        if (expired) {
          for (long id : List.of(1L, 2L, 3L)) {
            table.snapshots().delete(id);
          }
        }
        FailingStorage storage = FailingStorage.dyingAt(step, table.storage());
        died = false;
        try {
          roll(ours.on(storage).table(), "two");
        } catch (IOException e) {
          died = true;
        }
        int left = ours.rows().size();
        var theirs = new PaimonTables(directory).open(directory.resolve("t" + (tables - 1)));
        assertThat(theirs.rows()).as("step %d", step).isEqualTo(ours.rows());
        for (long k = 11; k <= 14; k++) {
          ours.write(insert(k, "w"));
          List<Long> ids = table.snapshots().ids();
          assertThat(ours.latestSnapshot()).isEqualTo(ids.get(ids.size() - 1));
        }
        assertThat(ours.rows()).as("step %d", step).hasSize(left + 4);
        assertThat(theirs.rows()).as("step %d", step).isEqualTo(ours.rows());
      }
    }
  }

  @Test
  void a_commit_that_comes_in_between_is_rolled_back_too() throws IOException {
    CoreTable ours = table();
    Table table = ours.table();
    List<Long> committed = new ArrayList<>();
    FailingStorage storage =
        FailingStorage.counting(table.storage())
            .before(
                operation -> operation.matches("delete .*/snapshot-5"),
                () -> committed.add(ours.write(insert(9L, "w")).orElseThrow().id()));
    Rollback.Result result = roll(ours.on(storage).table(), "2");
    assertThat(committed).containsExactly(6L);
    assertThat(result.snapshots()).containsExactly(5L, 4L, 3L, 6L);
    assertThat(ours.rows()).hasSize(2);
    assertThat(ours.latestSnapshot()).isEqualTo(2);
  }

  @Test
  void a_commit_that_claims_a_number_above_the_gap_does_not_bring_back_what_was_rolled_back()
      throws IOException {
    CoreTable ours = table();
    Table table = ours.table();
    FailingStorage storage =
        FailingStorage.counting(table.storage()).beforeSnapshot(() -> roll(table, "2"));
    CoreTable slow = ours.on(storage);
    assertThatThrownBy(() -> slow.write(insert(9L, "w")))
        .isInstanceOf(CommitConflictException.class);
    assertThat(table.snapshots().ids()).containsExactly(1L, 2L);
    assertThat(ours.rows()).hasSize(2);
  }

  @Test
  void a_commit_that_claims_the_number_of_an_expired_snapshot_tries_again() throws IOException {
    CoreTable ours =
        CoreTable.create(
            directory.resolve("append"),
            List.of("v STRING"),
            List.of(),
            List.of(),
            Map.of("snapshot.num-retained.min", "1000"));
    for (boolean empty : List.of(true, false)) {
      FailingStorage storage =
          FailingStorage.counting(ours.table().storage())
              .beforeSnapshot(
                  () -> {
                    for (int i = 0; i < 3; i++) {
                      ours.write(insert("fast"));
                    }
                    long latest = ours.latestSnapshot();
                    for (long id = 1; id < latest; id++) {
                      ours.table().snapshots().delete(id);
                    }
                  });
      long before = ours.latestSnapshot();
      assertThat(before == 0).isEqualTo(empty);
      ours.on(storage).write(insert("slow"));
      assertThat(ours.table().snapshots().ids()).containsExactly(before + 3, before + 4);
      assertThat(ours.rows()).hasSize((int) before + 4);
    }
  }
}
