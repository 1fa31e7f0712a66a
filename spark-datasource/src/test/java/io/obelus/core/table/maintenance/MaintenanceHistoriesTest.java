package io.obelus.core.table.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.Seeds;
import io.obelus.testing.WholeTables;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables and their branches are written, compacted, tagged, rolled back, expired and cleaned at
 * random, by us and by Paimon; branches come and go, and tables go forward to them; some of it dies
 * half-way. Whatever snapshot or tag is there afterwards reads as it did when it was made.
 */
class MaintenanceHistoriesTest {

  @TempDir private Path directory;
  private int tables;

  /** One history, and what must be read. */
  private final class History {
    final Random random;
    final Path place;
    final CoreTable table;
    final PaimonTable paimon;

    /** Rows by snapshot file: the delta list tells snapshots of one number apart. */
    final Map<String, List<List<Object>>> rows = new HashMap<>();

    final List<String> log = new ArrayList<>();
    final boolean branching;
    int values;

    History(Random random, boolean branching) throws IOException {
      this.random = random;
      this.branching = branching;
      this.place = directory.resolve("t" + tables++);
      boolean partitioned = random.nextBoolean();
      this.table =
          CoreTable.create(
              place,
              List.of("k BIGINT NOT NULL", "p INT NOT NULL", "v STRING"),
              partitioned ? List.of("p") : List.of(),
              partitioned ? List.of("k", "p") : List.of("k"),
              Map.of(
                  "bucket",
                  Integer.toString(1 + random.nextInt(2)),
                  "manifest.merge-min-count",
                  Integer.toString(2 + random.nextInt(5)),
                  "manifest.full-compaction-threshold-size",
                  random.nextBoolean() ? "1 b" : "16 mb",
                  "num-sorted-run.compaction-trigger",
                  Integer.toString(2 + random.nextInt(4)),
                  "snapshot.num-retained.min",
                  "1000",
                  "snapshot.num-retained.max",
                  "1000"));
      this.paimon = new PaimonTables(directory).open(place);
    }

    Table core() {
      return table.table();
    }

    private CoreTable on(TableDirectory history) throws IOException {
      return history.isMain() ? table : table.onBranch(history.branch());
    }

    private PaimonTable paimonOn(TableDirectory history) {
      return history.isMain() ? paimon : paimon.branch(history.branch());
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    void step() throws Exception {
      CoreTable line = on(any(core().branches().histories()));
      CoreTable used = line;
      if (random.nextInt(4) == 0) {
        FailingStorage dying =
            FailingStorage.dyingAt(1 + random.nextInt(60), table.table().storage());
        used = line.on(random.nextBoolean() ? dying : dying.afterDoing());
      }
      log.add(line.table().directory().branch() + ":");
      try {
        if (branching && random.nextInt(5) == 0) {
          branch(used);
        } else {
          step(used);
        }
      } catch (IOException | RuntimeException e) {
        if (used == line) {
          throw new AssertionError("after " + log, e);
        }
        assertThat(e).hasStackTraceContaining("broken on purpose");
        log.add("died");
      }
      check();
    }

    private void branch(CoreTable used) throws IOException {
      List<String> names = core().branches().names();
      List<String> tags = used.table().tags().names();
      int what = random.nextInt(6);
      if (what < 3 && names.size() < 3) {
        String name = "b" + values++;
        String tag = tags.isEmpty() || random.nextInt(6) == 0 ? null : any(tags);
        log.add("branch " + name + " from " + tag);
        used.table().branches().create(name, tag);
      } else if (what == 3 && !names.isEmpty()) {
        String name = any(names);
        log.add("delete branch " + name);
        used.table().branches().delete(name);
      } else if (what > 3 && !names.isEmpty() && used.table().directory().isMain()) {
        goForward(used, any(names));
      }
    }

    private void goForward(CoreTable used, String name) throws IOException {
      log.add("forward to " + name);
      CoreTable branch = table.onBranch(name);
      try {
        FastForward.to(used.table(), name, false);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageMatching("(?s).*(has no snapshot to go|cannot be told which).*");
        log.add("refused");
        return;
      }
      assertThat(core().snapshots().latest()).isEqualTo(branch.table().snapshots().latest());
      assertThat(core().tags().all()).containsAll(branch.table().tags().all());
      assertThat(CoreTable.open(place).rows()).as("%s", log).isEqualTo(branch.rows());
      assertThat(FastForward.to(core(), name, false).removed()).isEmpty();
    }

    private void step(CoreTable used) throws Exception {
      Table line = used.table();
      List<Long> ids = new Snapshots(core().storage(), line.directory()).ids();
      int what = ids.isEmpty() ? 0 : random.nextInt(12);
      switch (what) {
        case 0, 1, 2, 3 -> {
          log.add("write");
          used.write(rows());
        }
        case 4 -> {
          log.add("paimon writes");
          paimonOn(line.directory()).write(rows());
        }
        case 5 -> {
          log.add("compact");
          used.compact(random.nextBoolean());
        }
        case 6, 7 -> {
          Snapshot snapshot = line.snapshots().get(any(ids));
          String name = "t" + values++;
          log.add("tag " + name + " = " + snapshot.id());
          line.tags().create(name, snapshot, null);
        }
        case 8 -> {
          List<String> tags = line.tags().names();
          if (!tags.isEmpty()) {
            String name = any(tags);
            log.add("delete tag " + name);
            DeleteTag.of(line, name);
          }
        }
        case 9, 10 -> {
          int kept = 1 + random.nextInt(6);
          log.add("expire but " + kept);
          ExpireSnapshots.run(
              line,
              new ExpireSnapshots.Rules(1, kept, Long.MIN_VALUE, 1 + random.nextInt(20)),
              false);
        }
        default -> rollBackOrClean(used, ids);
      }
    }

    private void rollBackOrClean(CoreTable used, List<Long> ids) throws IOException {
      if (random.nextInt(3) > 0) {
        log.add("clean");
        RemoveOrphanFiles.run(used.table(), Instant.now(), false);
        return;
      }
      List<Snapshot> targets = new ArrayList<>();
      Table line = used.table();
      long newest = ids.get(ids.size() - 1);
      line.snapshots().all().forEach(targets::add);
      for (Tag tag : line.tags().all()) {
        Snapshot same = line.snapshots().find(tag.snapshot().id()).orElse(tag.snapshot());
        if (tag.snapshot().id() <= newest && Snapshot.same(same, tag.snapshot())) {
          targets.add(tag.snapshot());
        }
      }
      Snapshot target = any(targets);
      log.add("roll back to " + target.id());
      Rollback.to(line, target, false);
    }

    private List<Row> rows() {
      List<Row> rows = new ArrayList<>();
      for (int i = 1 + random.nextInt(8); i > 0; i--) {
        Object[] values = {(long) random.nextInt(30), random.nextInt(2), "v" + this.values++};
        rows.add(random.nextInt(5) == 0 ? Row.delete(values) : Row.insert(values));
      }
      return rows;
    }

    /** All that is there reads as before; what is new is remembered. */
    private void check() throws IOException {
      for (TableDirectory history : core().branches().histories()) {
        check(on(history));
      }
    }

    private void check(CoreTable line) throws IOException {
      Map<String, Snapshot> states = new TreeMap<>();
      line.table().snapshots().all().forEach(s -> states.put("snapshot " + s.id(), s));
      line.table().tags().all().forEach(t -> states.put("tag " + t.name(), t.snapshot()));
      for (Map.Entry<String, Snapshot> state : states.entrySet()) {
        Snapshot snapshot = state.getValue();
        boolean known = rows.containsKey(snapshot.deltaManifestList());
        if (!known || random.nextInt(4) == 0) {
          List<List<Object>> found = line.rows(snapshot, LevelZero.MERGE);
          assertThat(found)
              .as("%s of %s after %s", state.getKey(), line.table().name(), log)
              .isEqualTo(rows.computeIfAbsent(snapshot.deltaManifestList(), name -> found));
        }
      }
    }

    void end() throws IOException {
      List<TableDirectory> histories = core().branches().histories();
      for (TableDirectory history : histories) {
        expire(history, 3);
      }
      RemoveOrphanFiles.run(on(any(histories)).table(), Instant.now(), false);
      check();
      for (TableDirectory history : histories) {
        WholeTables.check(on(history).table(), log);
        compare(on(history), paimonOn(history));
      }
      assertThat(RemoveOrphanFiles.run(core(), Instant.now(), true)).isEmpty();
      for (TableDirectory history : histories) {
        Table line = on(history).table();
        for (String tag : line.tags().names()) {
          DeleteTag.of(line, tag);
        }
        expire(history, 1);
        check();
        WholeTables.check(line, log);
      }
      for (String branch : core().branches().names()) {
        core().branches().delete(branch);
        RemoveOrphanFiles.run(core(), Instant.now(), false);
        check();
      }
    }

    private void expire(TableDirectory history, int kept) throws IOException {
      ExpireSnapshots.Rules rules = new ExpireSnapshots.Rules(1, kept, Long.MIN_VALUE, 1000);
      ExpireSnapshots.run(on(history).table(), rules, false);
    }

    private void compare(CoreTable line, PaimonTable theirs) throws IOException {
      assertThat(theirs.rows()).as("%s", log).isEqualTo(line.rows(LevelZero.SKIP));
      for (Snapshot snapshot : line.table().snapshots().all()) {
        assertThat(theirs.rows(snapshot.id()))
            .as("snapshot %d of %s after %s", snapshot.id(), line.table().name(), log)
            .isEqualTo(line.rows(snapshot, LevelZero.SKIP));
      }
      if (!line.table().directory().isMain()) {
        return; // Paimon 1.3.1 looks for the tags of a branch among those of the table
      }
      for (Tag tag : line.table().tags().all()) {
        assertThat(theirs.with("scan.tag-name", tag.name()).rows())
            .as("tag %s of %s after %s", tag.name(), line.table().name(), log)
            .isEqualTo(line.rows(tag.snapshot(), LevelZero.SKIP));
      }
    }
  }

  @Test
  void whatever_is_done_to_a_table_what_is_there_reads_as_when_it_was_made() {
    Seeds.each(
        6,
        random -> {
          History history = new History(random, false);
          for (int step = 0; step < 50; step++) {
            history.step();
          }
          history.end();
        });
  }

  @Test
  void branches_and_their_table_need_no_file_that_another_of_them_deletes() {
    Seeds.each(
        3,
        random -> {
          History history = new History(random, true);
          for (int step = 0; step < 50; step++) {
            history.step();
          }
          history.end();
        });
  }
}
