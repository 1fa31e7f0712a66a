package io.obelus.core.table.maintenance;

import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CommitConflictException;
import io.obelus.core.table.snapshot.ColumnStatistics;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableStatistics;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.WholeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnalyzeTest {

  @TempDir private Path directory;

  private CoreTable table() throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t"),
            List.of("k BIGINT NOT NULL", "v STRING"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1"));
    table.write(insert(1L, "a"));
    return table;
  }

  private static Optional<Snapshot> analyze(Table table, Snapshot snapshot) throws IOException {
    ColumnStatistics ofKey = new ColumnStatistics(0, 1L, 1L, 1L, 0L, 8L, 8L);
    return Analyze.run(
        table,
        snapshot,
        new TableStatistics(snapshot.id(), table.schema().id(), 1L, 9L, Map.of("k", ofKey)));
  }

  /** Makes new statistics; returns their file. */
  private static String analyze(CoreTable table) throws IOException {
    Snapshot made = analyze(table.table(), latest(table)).orElseThrow();
    assertThat(latest(table)).isEqualTo(made);
    return made.statistics();
  }

  private static Snapshot latest(CoreTable table) throws IOException {
    return table.table().snapshots().latest().orElseThrow();
  }

  private List<String> files() throws IOException {
    Path place = directory.resolve("t/statistics");
    if (!Files.exists(place)) {
      return List.of();
    }
    try (var files = Files.list(place)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** Removes what nobody names, of files of statistics that are all old enough. */
  private List<RemoveOrphanFiles.Orphan> orphans(CoreTable table) throws IOException {
    Instant past = Instant.parse("2024-01-01T00:00:00Z");
    for (String file : files()) {
      Path path = directory.resolve("t/statistics").resolve(file);
      Files.setLastModifiedTime(path, FileTime.from(past));
    }
    return RemoveOrphanFiles.run(table.table(), past.plusSeconds(1), false);
  }

  private static void expireAllButNewest(CoreTable table) throws IOException {
    ExpireSnapshots.run(table.table(), new ExpireSnapshots.Rules(1, 1, Long.MAX_VALUE, 100), false);
  }

  @Test
  void a_file_stays_as_long_as_a_snapshot_or_tag_names_it() throws IOException {
    CoreTable table = table();
    String first = analyze(table);
    table.write(insert(2L, "b"));
    assertThat(latest(table).statistics()).isEqualTo(first);
    table.table().tags().create("kept", latest(table), null);
    String second = analyze(table);
    String third = analyze(table);
    table.write(insert(3L, "c"));
    assertThat(files()).containsExactlyInAnyOrder(first, second, third);
    assertThat(orphans(table)).isEmpty();
    expireAllButNewest(table);
    assertThat(files()).containsExactlyInAnyOrder(first, third);
    assertThat(orphans(table)).isEmpty();
    assertThat(table.table().statisticsFiles().of(latest(table))).isPresent();
    WholeTables.check(table.table(), "expired");
    assertThat(DeleteTag.of(table.table(), "kept").files()).isPositive();
    assertThat(files()).containsExactly(third);
    Files.writeString(directory.resolve("t/statistics/stat-nobody"), "{ }");
    assertThat(orphans(table))
        .singleElement()
        .satisfies(orphan -> assertThat(orphan.path()).endsWith("/statistics/stat-nobody"));
    assertThat(files()).containsExactly(third);
  }

  @Test
  void statistics_of_columns_that_have_changed_are_not_kept() throws Exception {
    CoreTable table = table();
    Table before = table.table();
    new PaimonTables(directory.resolve("scratch"))
        .open(directory.resolve("t"))
        .alter(SchemaChange.addColumn("more", DataTypes.INT()));
    assertThatThrownBy(() -> analyze(before, latest(table)))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("statistics are of schema 0, but now it has schema 1")
        .hasMessageContaining("run ANALYZE TABLE again");
    assertThat(files()).isEmpty();
    assertThat(latest(table).id()).isEqualTo(1);
  }

  @Test
  void a_failure_at_any_step_leaves_no_file_that_is_not_named() throws IOException {
    CoreTable table = table();
    for (int step = 1; ; step++) {
      FailingStorage storage = FailingStorage.failingAt(step, table.table().storage());
      long newest = latest(table).id();
      try {
        analyze(table.table().on(storage), latest(table));
      } catch (IOException | RuntimeException e) {
        assertThat(storage.hasFailed()).isTrue();
      }
      if (latest(table).id() == newest) {
        assertThat(latest(table).statistics()).isNull();
        assertThat(files()).as("step %d", step).isEmpty();
      } else {
        assertThat(files()).containsExactly(latest(table).statistics());
        return;
      }
    }
  }
}
