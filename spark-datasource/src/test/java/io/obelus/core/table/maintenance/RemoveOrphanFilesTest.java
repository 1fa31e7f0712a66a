package io.obelus.core.table.maintenance;

import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoveOrphanFilesTest {

  private static final Instant YESTERDAY = Instant.now().minus(Duration.ofDays(1));

  @TempDir private Path directory;

  private CoreTable table() throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t"),
            List.of("k BIGINT NOT NULL", "p STRING NOT NULL", "q INT NOT NULL"),
            List.of("p", "q"),
            List.of("k", "p", "q"),
            Map.of("bucket", "1"));
    table.write(insert(1L, "a/b", 1), insert(2L, "c", 2));
    table.write(insert(1L, "a/b", 1), insert(3L, "c", 2));
    return table;
  }

  private void ageAll() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.setLastModifiedTime(file, FileTime.from(YESTERDAY.minusSeconds(60)));
      }
    }
  }

  private Path plant(String path) throws IOException {
    Path file = directory.resolve("t").resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "left behind");
  }

  private List<String> removed(Table table, boolean dryRun) throws IOException {
    return RemoveOrphanFiles.run(table, YESTERDAY, dryRun).stream()
        .map(orphan -> Path.of(orphan.path()))
        .map(directory.resolve("t")::relativize)
        .map(Path::toString)
        .sorted()
        .toList();
  }

  @Test
  void old_files_without_a_reference_go_and_all_others_stay() throws IOException {
    CoreTable table = table();
    table.table().tags().create("one", table.table().snapshots().get(1), null);
    List<String> orphans =
        List.of(
            "index/index-x-0",
            "manifest/manifest-x-0",
            "p=a%2Fb/q=1/bucket-0/data-x-0.parquet",
            "p=c/q=2/bucket-0/data-x-0.parquet.index",
            "p=c/q=9/bucket-postpone/data--u-x-0.parquet",
            "schema/.schema-1.x.tmp",
            "snapshot/.snapshot-3.x.tmp",
            "statistics/stat-x-0",
            "tag/.tag-x.y.tmp");
    for (String orphan : orphans) {
      plant(orphan);
    }
    List<Path> others =
        List.of(
            plant("p=c/notes.txt"),
            plant("notes/bucket-0/data-x-0.parquet"),
            plant("consumer/consumer-x"));
    ageAll();
    List<Path> young =
        List.of(plant("manifest/manifest-y-0"), plant("p=c/q=2/bucket-0/data-y-0.parquet"));
    assertThat(removed(table.table(), true)).isEqualTo(orphans);
    assertThat(removed(table.table(), false)).isEqualTo(orphans);
    assertThat(removed(table.table(), false)).isEmpty();
    assertThat(others).allMatch(Files::exists);
    assertThat(young).allMatch(Files::exists);
    assertThat(table.rows()).hasSize(3);
    assertThat(table.rows(1, LevelZero.MERGE)).hasSize(2);
  }

  @Test
  void what_a_branch_uses_stays() throws Exception {
    CoreTable table = table();
    PaimonTable theirs = new PaimonTables(directory).open(directory.resolve("t"));
    theirs.table().createTag("one", 1);
    theirs.table().createBranch("b", "one");
    PaimonTable branch = theirs.branch("b");
    branch.write(insert(9L, "c", 2));
    List<List<Object>> rows = branch.rows();
    table.table().tags().delete("one");
    ExpireSnapshots.run(table.table(), new ExpireSnapshots.Rules(1, 1, Long.MIN_VALUE, 10), false);
    table.compact(true);
    ageAll();
    removed(table.table(), false);
    assertThat(branch.rows()).isEqualTo(rows).hasSize(3);
    assertThat(removed(table.table(), true)).isEmpty();
  }

  @Test
  void a_commit_that_comes_in_between_counts() throws IOException {
    CoreTable table = table();
    CoreTable.Pending slow = table.prepare(List.of(insert(7L, "c", 2)));
    ageAll(); // a write that takes longer than a day
    assertThat(removed(table.table(), true)).isNotEmpty();
    FailingStorage storage =
        FailingStorage.counting(table.table().storage())
            .before(operation -> operation.matches("list .*/snapshot"), slow::commit);
    // Temporary files are looked for there before: the hook comes early, but after the buckets.
    assertThat(removed(table.on(storage).table(), false)).isEmpty();
    assertThat(table.rows()).hasSize(4);
  }

  @Test
  void nothing_is_deleted_while_something_cannot_be_read() throws IOException {
    CoreTable table = table();
    Path orphan = plant("manifest/manifest-x-0");
    ageAll();
    Snapshot latest = table.table().snapshots().latest().orElseThrow();
    Path list = directory.resolve("t/manifest").resolve(latest.deltaManifestList());
    byte[] content = Files.readAllBytes(list);
    Files.delete(list);
    assertThatThrownBy(() -> removed(table.table(), false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a file of snapshot 2 is missing")
        .hasMessageContaining("nothing was deleted");
    Files.write(list, content);
    for (int step = 1; ; step++) {
      FailingStorage storage = FailingStorage.failingAt(step, table.table().storage());
      try {
        removed(table.on(storage).table(), true);
      } catch (IOException | RuntimeException e) {
        assertThat(e).hasStackTraceContaining("broken on purpose");
      }
      assertThat(orphan).exists();
      if (!storage.hasFailed()) {
        break;
      }
    }
    assertThat(removed(table.table(), false)).containsExactly("manifest/manifest-x-0");
  }

  @Test
  void a_snapshot_that_expires_meanwhile_is_no_obstacle() throws IOException {
    CoreTable table = table();
    table.compact(true);
    ageAll();
    Snapshot first = table.table().snapshots().get(1);
    FailingStorage storage =
        FailingStorage.counting(table.table().storage())
            .before(
                operation -> operation.endsWith(first.deltaManifestList()),
                () ->
                    ExpireSnapshots.run(
                        table.table(), new ExpireSnapshots.Rules(1, 1, Long.MIN_VALUE, 10), false));
    assertThat(removed(table.on(storage).table(), false)).isEmpty();
    assertThat(table.rows()).hasSize(3);
  }

  @Test
  void a_time_that_is_still_to_come_is_refused() throws IOException {
    Table table = table().table();
    assertThatThrownBy(() -> RemoveOrphanFiles.run(table, Instant.now().plusSeconds(60), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("give a time in the past");
  }
}
