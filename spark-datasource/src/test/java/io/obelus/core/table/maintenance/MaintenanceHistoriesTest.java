package io.obelus.core.table.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.Seeds;
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
 * Tables are written, compacted, tagged, rolled back, expired and cleaned at random, by us and by
 * Paimon; some of it dies half-way. Whatever snapshot or tag is there afterwards reads as it did
 * when it was made.
 */
class MaintenanceHistoriesTest {

  @TempDir private Path directory;
  private int tables;

  /** One history, and what must be read. */
  private final class History {
    final Random random;
    final CoreTable table;
    final PaimonTable paimon;

    /** Rows by snapshot file: the delta list tells snapshots of one number apart. */
    final Map<String, List<List<Object>>> rows = new HashMap<>();

    final List<String> log = new ArrayList<>();
    int values;

    History(Random random) throws IOException {
      this.random = random;
      Path place = directory.resolve("t" + tables++);
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

    void step() throws Exception {
      CoreTable used = table;
      if (random.nextInt(4) == 0) {
        FailingStorage dying =
            FailingStorage.dyingAt(1 + random.nextInt(60), table.table().storage());
        used = table.on(random.nextBoolean() ? dying : dying.afterDoing());
      }
      try {
        step(used);
      } catch (IOException | RuntimeException e) {
        if (used == table) {
          throw e;
        }
        assertThat(e).hasStackTraceContaining("broken on purpose");
        log.add("died");
      }
      check();
    }

    private void step(CoreTable used) throws Exception {
      List<Long> ids = core().snapshots().ids();
      int what = ids.isEmpty() ? 0 : random.nextInt(12);
      switch (what) {
        case 0, 1, 2, 3 -> {
          log.add("write");
          used.write(rows());
        }
        case 4 -> {
          log.add("paimon writes");
          paimon.write(rows());
        }
        case 5 -> {
          log.add("compact");
          used.compact(random.nextBoolean());
        }
        case 6, 7 -> {
          Snapshot snapshot = core().snapshots().get(ids.get(random.nextInt(ids.size())));
          String name = "t" + values++;
          log.add("tag " + name + " = " + snapshot.id());
          used.table().tags().create(name, snapshot, null);
        }
        case 8 -> {
          List<String> tags = core().tags().names();
          if (!tags.isEmpty()) {
            String name = tags.get(random.nextInt(tags.size()));
            log.add("delete tag " + name);
            DeleteTag.of(used.table(), name);
          }
        }
        case 9, 10 -> {
          int kept = 1 + random.nextInt(6);
          log.add("expire but " + kept);
          ExpireSnapshots.run(
              used.table(),
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
      long newest = ids.get(ids.size() - 1);
      core().snapshots().all().forEach(targets::add);
      for (Tag tag : core().tags().all()) {
        Snapshot same = core().snapshots().find(tag.snapshot().id()).orElse(tag.snapshot());
        if (tag.snapshot().id() <= newest && Snapshot.same(same, tag.snapshot())) {
          targets.add(tag.snapshot());
        }
      }
      Snapshot target = targets.get(random.nextInt(targets.size()));
      log.add("roll back to " + target.id());
      Rollback.to(used.table(), target, false);
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
      Map<String, Snapshot> states = new TreeMap<>();
      core().snapshots().all().forEach(s -> states.put("snapshot " + s.id(), s));
      core().tags().all().forEach(t -> states.put("tag " + t.name(), t.snapshot()));
      for (Map.Entry<String, Snapshot> state : states.entrySet()) {
        Snapshot snapshot = state.getValue();
        boolean known = rows.containsKey(snapshot.deltaManifestList());
        if (!known || random.nextInt(4) == 0) {
          List<List<Object>> found = table.rows(snapshot, LevelZero.MERGE);
          assertThat(found)
              .as("%s after %s", state.getKey(), log)
              .isEqualTo(rows.computeIfAbsent(snapshot.deltaManifestList(), name -> found));
        }
      }
    }

    void end() throws IOException {
      if (core().snapshots().ids().isEmpty()) {
        return;
      }
      ExpireSnapshots.run(core(), new ExpireSnapshots.Rules(1, 3, Long.MIN_VALUE, 1000), false);
      RemoveOrphanFiles.run(core(), Instant.now(), false);
      check();
      assertThat(paimon.rows()).as("%s", log).isEqualTo(table.rows(LevelZero.SKIP));
      for (Tag tag : core().tags().all()) {
        assertThat(paimon.with("scan.tag-name", tag.name()).rows())
            .as("tag %s after %s", tag.name(), log)
            .isEqualTo(table.rows(tag.snapshot(), LevelZero.SKIP));
      }
      assertThat(RemoveOrphanFiles.run(core(), Instant.now(), true)).isEmpty();
      for (String tag : core().tags().names()) {
        DeleteTag.of(core(), tag);
      }
      ExpireSnapshots.run(core(), new ExpireSnapshots.Rules(1, 1, Long.MIN_VALUE, 1000), false);
      check();
    }
  }

  @Test
  void whatever_is_done_to_a_table_what_is_there_reads_as_when_it_was_made() {
    Seeds.each(
        6,
        random -> {
          History history = new History(random);
          for (int step = 0; step < 50; step++) {
            history.step();
          }
          history.end();
        });
  }
}
