package io.obelus.core.table.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestWriter;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.schema.Schemas;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.MemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveFilesTest {

  private static final BucketId ZERO = new BucketId(RowBytes.EMPTY, 0);
  private static final BucketId ONE = new BucketId(RowBytes.EMPTY, 1);

  @TempDir private Path directory;

  @Test
  void tables_of_others_have_the_files_and_bitmaps_that_their_description_says()
      throws IOException {
    Storage local = new HadoopStorage(new Configuration(false));
    for (String name : GoldenTables.names()) {
      Path path = GoldenTables.unpack(name, directory.resolve(name));
      Table table = Table.open(local, path.toString(), name);
      JsonNode says = new ObjectMapper().readTree(GoldenTables.description(name));
      for (Snapshot snapshot : table.snapshots().all()) {
        new LiveFiles(table, snapshot).buckets(id -> true); // each of them replays
      }
      Snapshot latest = table.snapshots().latest().orElseThrow();
      Map<String, Integer> levels = new TreeMap<>();
      long bitmaps = 0;
      long positions = 0;
      long rows = 0;
      for (BucketState state : new LiveFiles(table, latest).buckets(id -> true)) {
        for (DataFile file : state.files()) {
          levels.merge(Integer.toString(file.level()), 1, Integer::sum);
          assertThat(local.size(file.path(state.directory()))).as(name).isEqualTo(file.size());
          rows += file.rowCount();
        }
        for (DeletionFile deletions : state.deletions()) {
          assertThat(table.deletionFiles().read(deletions)).hasSize(deletions.ranges().size());
          bitmaps += deletions.bitmaps();
          positions += deletions.ranges().stream().mapToLong(DeletionFile.Range::cardinality).sum();
        }
      }
      assertThat(levels)
          .as(name)
          .isEqualTo(
              new ObjectMapper().convertValue(says.get("data_files_by_level"), TreeMap.class));
      assertThat(bitmaps).as(name).isEqualTo(says.path("files_with_deletion_vector").asLong());
      assertThat(positions).as(name).isEqualTo(says.path("deleted_positions").asLong());
      assertThat(latest.totalRecordCount()).as(name).isEqualTo(rows);
    }
  }

  private final MemoryStorage storage = new MemoryStorage();
  private int snapshots;

  private Table table(Storage through) throws IOException {
    TableDirectory at = new TableDirectory("/lake/t");
    Scalar type = new Scalar(Kind.INT, 0, 0, false);
    RowType row = new RowType(List.of(new Column(0, "k", type)));
    Schemas schemas = new Schemas(storage, at);
    schemas.create(new TableSchema(3, 0, row, 0, List.of(), List.of("k"), Map.of(), null, 0));
    return Table.open(through, "/lake/t", "t");
  }

  /** A snapshot whose base and delta are these entries, each in a manifest of its own. */
  private LiveFiles live(List<IndexEntry> index, ManifestEntry... entries) throws IOException {
    Table table = table(storage);
    ManifestWriter writer =
        new ManifestWriter(new Manifests(storage, table.directory()), table.schema());
    ManifestWriter.ManifestList base = writer.writeList(writer.write(List.of(entries[0])));
    ManifestWriter.ManifestList delta =
        writer.writeList(writer.write(List.of(entries).subList(1, entries.length)));
    Snapshot snapshot =
        new Snapshot(
            3,
            ++snapshots,
            0,
            base.name(),
            base.size(),
            delta.name(),
            delta.size(),
            null,
            null,
            index.isEmpty() ? null : writer.writeIndex(index),
            "me",
            1,
            Snapshot.Kind.APPEND,
            0,
            0L,
            0L,
            0L,
            null,
            null,
            Map.of(),
            0L);
    return new LiveFiles(table, snapshot);
  }

  private static ManifestEntry entry(ManifestEntry.Kind kind, BucketId bucket, DataFile file) {
    return new ManifestEntry(kind, bucket, 2, file);
  }

  private static ManifestEntry add(BucketId bucket, String name) {
    return entry(ManifestEntry.Kind.ADD, bucket, file(name));
  }

  private static DataFile file(String name) {
    return new DataFile(
        name,
        1,
        1,
        RowBytes.EMPTY,
        RowBytes.EMPTY,
        ColumnStats.NONE,
        ColumnStats.NONE,
        0,
        0,
        0,
        0,
        List.of(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static IndexEntry deletions(BucketId bucket, String name, String... dataFiles) {
    List<DeletionFile.Range> ranges =
        List.of(dataFiles).stream().map(file -> new DeletionFile.Range(file, 1, 22, 1L)).toList();
    return IndexEntry.of(bucket, new DeletionFile(name, 31, ranges.size(), false, ranges, null));
  }

  @Test
  void a_table_without_a_snapshot_has_no_files() throws IOException {
    LiveFiles none = new LiveFiles(table(storage), null);
    assertThat(none.buckets(id -> true)).isEmpty();
    assertThat(none.entries(id -> true)).isEmpty();
    assertThat(none.indexEntries()).isEmpty();
  }

  @Test
  void files_stand_in_the_order_of_the_manifests_and_postpone_buckets_do_not_show()
      throws IOException {
    BucketId postpone = new BucketId(RowBytes.EMPTY, -2);
    LiveFiles live =
        live(
            List.of(),
            add(ZERO, "data-0"),
            add(postpone, "data-1"),
            add(ONE, "data-2"),
            add(ZERO, "data-3"),
            entry(ManifestEntry.Kind.DELETE, ZERO, file("data-0")),
            entry(ManifestEntry.Kind.ADD, ZERO, file("data-0").atLevel(5)));
    List<BucketState> states = live.buckets(id -> true);
    assertThat(states).extracting(BucketState::id).containsExactly(ONE, ZERO);
    assertThat(states.get(1).files()).containsExactly(file("data-3"), file("data-0").atLevel(5));
    assertThat(live.entries(id -> true)).hasSize(4);
    assertThat(live.changes(id -> true)).hasSize(5);
    assertThat(live.changes(ONE::equals)).hasSize(1);
  }

  @Test
  void a_file_that_comes_twice_or_goes_without_being_there_is_damage() throws IOException {
    LiveFiles twice = live(List.of(), add(ZERO, "data-0"), add(ZERO, "data-0"));
    assertThatThrownBy(() -> twice.buckets(id -> true))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageMatching(
            "/lake/t/manifest/manifest-.*-1 at byte 0: adds data-0, which is there\\. .*");
    LiveFiles gone =
        live(List.of(), add(ZERO, "data-0"), entry(ManifestEntry.Kind.DELETE, ONE, file("data-0")));
    assertThatThrownBy(() -> gone.buckets(id -> true))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("-1 at byte 0: deletes data-0, which is not there. ");
    assertThat(gone.buckets(ZERO::equals)).hasSize(1);
  }

  @Test
  void bitmaps_that_are_there_twice_are_damage() throws IOException {
    LiveFiles two =
        live(
            List.of(deletions(ZERO, "index-0", "data-0"), deletions(ZERO, "index-1", "data-1")),
            add(ZERO, "data-0"));
    assertThatThrownBy(() -> two.buckets(id -> true))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("2 deletion files of bucket 0, one expected");
    LiveFiles same =
        live(List.of(deletions(ZERO, "index-0", "data-0", "data-0")), add(ZERO, "data-0"));
    assertThatThrownBy(() -> same.buckets(id -> true))
        .hasMessageContaining("two bitmaps of data file data-0");
    LiveFiles without =
        live(
            List.of(
                new IndexEntry(
                    ZERO, IndexEntry.DELETION_VECTORS, "index-0", 31, 1, null, null, null)),
            add(ZERO, "data-0"));
    assertThatThrownBy(() -> without.buckets(id -> true))
        .hasMessageContaining("index-0 should have 1 ranges but has none");
  }

  @Test
  void deletion_files_join_their_bucket_and_hash_files_do_not() throws IOException {
    IndexEntry hash = new IndexEntry(ZERO, IndexEntry.HASH, "index-h", 4, 1, null, null, null);
    IndexEntry map = new IndexEntry(ONE, IndexEntry.DELETE_MAP, "index-m", 52, 1, null, null, null);
    LiveFiles live =
        live(
            List.of(hash, deletions(ZERO, "index-0", "data-0"), map),
            add(ZERO, "data-0"),
            add(ONE, "data-1"));
    List<BucketState> states = live.buckets(id -> true);
    assertThat(states.get(0).deletions())
        .extracting(DeletionFile::name, DeletionFile::deleteMap)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("index-0", false));
    assertThat(states.get(1).deletions())
        .extracting(DeletionFile::name, DeletionFile::deleteMap)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("index-m", true));
    assertThat(live.indexEntries()).hasSize(3);
  }

  @Test
  void manifests_whose_statistics_rule_out_a_bucket_are_not_read() throws IOException {
    Snapshot snapshot = live(List.of(), add(ZERO, "data-0"), add(ONE, "data-1")).snapshot();
    FailingStorage counting = FailingStorage.counting(storage);
    Table table = table(counting);
    int opened = counting.operations().size();
    assertThat(new LiveFiles(table, snapshot).buckets(ONE::equals)).hasSize(1);
    assertThat(counting.operations().subList(opened, counting.operations().size()))
        .hasSize(3) // two lists, one manifest
        .allMatch(operation -> operation.contains("/manifest-"));
  }
}
