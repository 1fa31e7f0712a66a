package io.obelus.core.table.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.GoldenTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotsTest {

  private static final Storage STORAGE = new HadoopStorage(new Configuration(false));

  @TempDir private Path directory;
  private Snapshots snapshots;

  @BeforeEach
  void an_empty_table() {
    snapshots = new Snapshots(STORAGE, new TableDirectory("file:" + directory));
  }

  private static Snapshot snapshot(long id) {
    return new Snapshot(
        3,
        id,
        0,
        "base",
        1L,
        "delta",
        1L,
        null,
        null,
        null,
        "me",
        Snapshot.BATCH_IDENTIFIER,
        Snapshot.Kind.APPEND,
        1000 * id,
        0L,
        0L,
        0L,
        null,
        null,
        Map.of(),
        0L);
  }

  private void create(long... ids) throws IOException {
    for (long id : ids) {
      assertThat(snapshots.create(snapshot(id))).isTrue();
    }
  }

  private void hint(String name, String content) throws IOException {
    STORAGE.overwrite(directory + "/snapshot/" + name, content.getBytes(StandardCharsets.UTF_8));
  }

  private long latest() throws IOException {
    return snapshots.latest().orElseThrow().id();
  }

  private long earliest() throws IOException {
    return snapshots.earliest().orElseThrow().id();
  }

  @Test
  void a_table_without_commits_has_no_snapshot() throws IOException {
    assertThat(snapshots.latest()).isEmpty();
    assertThat(snapshots.earliest()).isEmpty();
    assertThat(snapshots.all()).isEmpty();
    assertThat(snapshots.asOf(Long.MAX_VALUE)).isEmpty();
    assertThatThrownBy(() -> snapshots.get(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("file:" + directory + " has no snapshot 1; it has none");
  }

  @Test
  void hints_may_be_missing_stale_or_garbage() throws IOException {
    create(3, 4, 5);
    assertThat(latest()).isEqualTo(5);
    assertThat(earliest()).isEqualTo(3);
    for (String wrong : List.of("", "4", "garbage", "-1", "0", "99", "5\n", "9".repeat(30))) {
      hint("LATEST", wrong);
      hint("EARLIEST", wrong.equals("4") ? "2" : wrong);
      assertThat(latest()).as("LATEST = '%s'", wrong).isEqualTo(5);
    }
    for (String wrong : List.of("", "2", "garbage", "99")) {
      hint("EARLIEST", wrong);
      assertThat(earliest()).as("EARLIEST = '%s'", wrong).isEqualTo(3);
    }
  }

  @Test
  void a_good_hint_spares_the_listing() throws IOException {
    create(1, 2);
    snapshots.hintLatest(2);
    assertThat(Files.readString(directory.resolve("snapshot/LATEST"))).isEqualTo("2");
    FailingStorage counting = FailingStorage.counting(STORAGE);
    assertThat(new Snapshots(counting, snapshots.directory()).latest()).contains(snapshot(2));
    assertThat(counting.operations()).noneMatch(operation -> operation.startsWith("list"));
  }

  @Test
  void other_files_in_the_directory_are_no_snapshots() throws IOException {
    create(1);
    hint(".snapshot-2.1234.tmp", "{");
    hint("snapshot-x", "{");
    hint("snapshot-3.tmp", "{");
    assertThat(latest()).isEqualTo(1);
    assertThat(snapshots.ids()).containsExactly(1L);
    assertThat(snapshots.all()).containsExactly(snapshot(1));
  }

  @Test
  void a_snapshot_is_claimed_once() throws IOException {
    create(1);
    assertThat(snapshots.create(snapshot(1))).isFalse();
    assertThat(snapshots.get(1)).isEqualTo(snapshot(1));
    create(2);
    assertThatThrownBy(() -> snapshots.get(3))
        .hasMessageEndingWith("has no snapshot 3; it has 1 to 2");
  }

  @Test
  void time_travel_finds_the_newest_at_or_before() throws IOException {
    create(1, 2, 3);
    assertThat(snapshots.asOf(999)).isEmpty();
    assertThat(snapshots.asOf(1000)).contains(snapshot(1));
    assertThat(snapshots.asOf(2999)).contains(snapshot(2));
    assertThat(snapshots.asOf(Long.MAX_VALUE)).contains(snapshot(3));
  }

  @Test
  void a_hint_that_cannot_be_written_fails_no_commit() throws IOException {
    create(1);
    Snapshots broken = new Snapshots(FailingStorage.dyingAt(1, STORAGE), snapshots.directory());
    broken.hintLatest(1);
    assertThat(latest()).isEqualTo(1);
  }

  @Test
  void a_snapshot_that_expires_while_it_is_read_is_asked_for_again() throws IOException {
    create(1, 2);
    hint("EARLIEST", "1");
    FailingStorage expiring =
        FailingStorage.counting(STORAGE)
            .before(
                operation -> operation.matches("open .*/snapshot-1"),
                () -> STORAGE.delete(directory + "/snapshot/snapshot-1"));
    assertThat(new Snapshots(expiring, snapshots.directory()).earliest()).contains(snapshot(2));
  }

  @Test
  void tables_of_others_open_with_their_latest_schema_and_their_snapshots() throws IOException {
    for (String name : GoldenTables.names()) {
      Path path = GoldenTables.unpack(name, directory.resolve(name));
      Table table = Table.open(STORAGE, path.toString(), "db." + name);
      List<Snapshot> all = table.snapshots().all();
      assertThat(table.snapshots().latest()).contains(all.get(all.size() - 1));
      assertThat(table.snapshots().earliest()).contains(all.get(0));
      for (Snapshot snapshot : all) {
        assertThat(table.atSchema(snapshot.schemaId()).schema().id())
            .isEqualTo(snapshot.schemaId());
      }
    }
    Table changed =
        Table.open(
            STORAGE,
            directory + "/pk_dv_schema_evolution/warehouse/db.db/pk_dv_schema_evolution",
            "t");
    assertThat(changed.schema().id()).isGreaterThan(0);
    assertThat(changed.atSchema(0).schema().id()).isZero();
  }

  @Test
  void the_files_of_others_lie_in_the_directories_that_their_partitions_name() throws IOException {
    for (String name : GoldenTables.names()) {
      Path path = GoldenTables.unpack(name, directory.resolve(name));
      Table table = Table.open(STORAGE, path.toString(), name);
      int files = 0;
      for (BucketState bucket :
          new LiveFiles(table, table.snapshots().latest().orElseThrow()).buckets(any -> true)) {
        for (DataFile file : bucket.files()) {
          assertThat(Path.of(bucket.directory(), file.name())).isRegularFile();
          files++;
        }
      }
      assertThat(files).as(name).isPositive();
    }
  }

  @Test
  void a_directory_without_a_schema_is_no_table() {
    assertThatThrownBy(() -> Table.open(STORAGE, directory.toString(), "db.t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "there is no table in %s: no file %s/schema/schema-0; create it first, or check the path"
                .formatted(directory, directory));
  }
}
