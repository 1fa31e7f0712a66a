package io.obelus.core.table.commit;

import static io.obelus.core.table.commit.TestTable.bucket;
import static io.obelus.core.table.commit.TestTable.deletions;
import static io.obelus.core.table.commit.TestTable.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestWriter;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshot.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommitTest {

  private static final DataFile OLD = file("data-0", 5, 0, 99);

  /** A keyed table with {@link #OLD} in bucket 0. */
  private static TestTable withOneFile(String... options) throws IOException {
    TestTable table = TestTable.keyed(options);
    table.commit().commit(List.of(table.change(bucket(0)).writes(OLD).done()));
    return table;
  }

  private static Snapshot commit(TestTable table, BucketChange... changes) throws IOException {
    return table.commit().commit(List.of(changes)).orElseThrow();
  }

  @Test
  void the_first_commit_makes_snapshot_1() throws IOException {
    TestTable table = TestTable.keyed();
    Snapshot made =
        table
            .commit()
            .withProperties(Map.of("why", "because"))
            .commit(List.of(table.change(bucket(3)).writes(OLD).done()))
            .orElseThrow();
    assertThat(made).isEqualTo(table.latest());
    assertThat(made.id()).isEqualTo(1);
    assertThat(made.version()).isEqualTo(3);
    assertThat(made.kind()).isEqualTo(Kind.APPEND);
    assertThat(made.commitIdentifier()).isEqualTo(Long.MAX_VALUE);
    assertThat(made.totalRecordCount()).isEqualTo(10);
    assertThat(made.deltaRecordCount()).isEqualTo(10);
    assertThat(made.changelogRecordCount()).isZero();
    assertThat(made.nextRowId()).isZero();
    assertThat(made.indexManifest()).isNull();
    assertThat(made.properties()).isEqualTo(Map.of("why", "because"));
    assertThat(table.storage().read(table.table().directory().latestHint()))
        .asString()
        .isEqualTo("1");
    assertThat(table.files()).containsExactly("3/data-0@5");
    BucketState state = table.live().buckets(id -> true).get(0);
    assertThat(state.directory()).isEqualTo("/lake/db.db/t/bucket-3");
    assertThat(state.totalBuckets()).isEqualTo(8);
    assertThat(state.files()).containsExactly(OLD);
  }

  @Test
  void properties_of_ours_last_until_they_are_set_anew() throws IOException {
    TestTable table = TestTable.keyed();
    List<BucketChange> changes = List.of(table.change(bucket(0)).writes(OLD).done());
    table
        .commit()
        .withProperties(Map.of("obelus.a", "1", "why", "x", "obelus.b", "2"))
        .commit(changes);
    Snapshot next =
        table.commit().withProperties(Map.of("obelus.b", "3")).mergeManifests().orElseThrow();
    assertThat(next.properties()).isEqualTo(Map.of("obelus.a", "1", "obelus.b", "3"));
    table.commit().overwrite(List.of(), partition -> true);
    assertThat(table.latest().properties()).isEqualTo(Map.of("obelus.a", "1", "obelus.b", "3"));
  }

  @Test
  void nothing_to_commit_makes_no_snapshot() throws IOException {
    TestTable table = TestTable.keyed();
    assertThat(table.commit().commit(List.of())).isEmpty();
    assertThat(table.commit().commit(List.of(table.change(bucket(0)).done()))).isEmpty();
    assertThat(table.commit().overwrite(List.of(), partition -> true)).isEmpty();
    assertThat(table.latest()).isNull();
    assertThat(table.stored()).isEmpty();
  }

  @Test
  void one_commit_makes_one_snapshot_whose_kind_tells_what_it_did() throws IOException {
    TestTable table = withOneFile();
    Snapshot append = commit(table, table.change(bucket(1)).writes(file("data-1", 5, 0, 9)).done());
    assertThat(append.kind()).isEqualTo(Kind.APPEND);
    Snapshot strike =
        commit(
            table,
            table
                .change(bucket(0))
                .writes(file("data-2", 4, 5, 9))
                .deletes(deletions("index-0", "data-0:3"))
                .done());
    assertThat(strike.kind()).isEqualTo(Kind.OVERWRITE);
    assertThat(strike.totalRecordCount()).isEqualTo(30);
    Snapshot compact =
        commit(
            table,
            table
                .change(bucket(0))
                .removes(OLD, file("data-2", 4, 5, 9))
                .writes(file("data-3", 5, 0, 99))
                .deletes(deletions("index-1"))
                .compacts()
                .done());
    assertThat(compact.kind()).isEqualTo(Kind.COMPACT);
    assertThat(compact.deltaRecordCount()).isEqualTo(-10);
    assertThat(compact.totalRecordCount()).isEqualTo(20);
    Snapshot both =
        commit(
            table,
            table.change(bucket(0)).moves(file("data-3", 5, 0, 99), 4).compacts().done(),
            table.change(bucket(2)).writes(file("data-4", 0, 0, 9)).done());
    assertThat(both.kind()).isEqualTo(Kind.OVERWRITE);
    assertThat(both.id()).isEqualTo(5);
    assertThat(table.files()).containsExactly("0/data-3@4", "1/data-1@5", "2/data-4");
  }

  @Test
  void a_second_commit_from_the_same_bucket_state_is_refused_and_leaves_nothing()
      throws IOException {
    TestTable table = withOneFile();
    Snapshot base = table.latest();
    BucketChange mine =
        table
            .change(bucket(0))
            .writes(file("data-mine", 4, 0, 9))
            .deletes(deletions("index-mine", "data-0:1"))
            .done();
    commit(table, table.change(bucket(0)).writes(file("data-theirs", 4, 0, 9)).done());
    Set<String> before = table.stored();
    before.removeIf(path -> path.contains("mine"));
    assertThatThrownBy(() -> table.commit(base).commit(List.of(mine)))
        .isInstanceOf(CommitConflictException.class)
        .hasMessage(
            "table db.t, bucket 0 was changed by another commit: this one was made from snapshot 1,"
                + " the newest is snapshot 2. Nothing of it was committed; run the statement"
                + " again.");
    assertThat(table.stored()).isEqualTo(before);
    assertThat(table.latest().id()).isEqualTo(2);
  }

  @Test
  void a_conflict_names_the_partition() throws IOException {
    TestTable table = TestTable.partitioned();
    BucketChange mine = table.change(bucket(7, 2)).writes(file("data-mine", 4, 0, 9)).done();
    commit(table, table.change(bucket(7, 2)).writes(file("data-theirs", 4, 0, 9)).done());
    assertThatThrownBy(() -> table.commit(null).commit(List.of(mine)))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageStartingWith(
            "table db.t, partition pt=7, bucket 2 was changed by another commit: this one was made"
                + " from the empty table, the newest is snapshot 1.");
  }

  @Test
  void commits_to_different_buckets_both_pass() throws IOException {
    TestTable table = TestTable.partitioned();
    Snapshot base = table.latest();
    commit(table, table.change(bucket(1, 0)).writes(file("data-1", 5, 0, 9)).done());
    table
        .commit(base)
        .commit(List.of(table.change(bucket(1, 1)).writes(file("data-2", 5, 0, 9)).done()));
    table
        .commit(base)
        .commit(List.of(table.change(bucket(2, 0)).writes(file("data-3", 5, 0, 9)).done()));
    assertThat(table.files()).containsExactly("0/data-1@5", "0/data-3@5", "1/data-2@5");
    assertThat(table.latest().id()).isEqualTo(3);
  }

  @Test
  void bitmaps_alone_that_others_changed_are_a_conflict() throws IOException {
    TestTable table = withOneFile();
    Snapshot base = table.latest();
    commit(table, table.change(bucket(0)).deletes(deletions("index-0", "data-0:1")).done());
    BucketChange mine = table.change(bucket(0)).deletes(deletions("index-1", "data-0:1")).done();
    assertThatThrownBy(() -> table.commit(base).commit(List.of(mine)))
        .isInstanceOf(CommitConflictException.class);
    assertThat(table.live().buckets(id -> true).get(0).deletions())
        .containsExactly(deletions("index-0", "data-0:1"));
  }

  @Test
  void rows_without_a_key_are_appended_whatever_others_do() throws IOException {
    TestTable table = TestTable.append();
    Snapshot base = table.latest();
    for (int i = 0; i < 3; i++) {
      table
          .commit(base)
          .commit(
              List.of(
                  table.change(bucket(0)).writes(file("data-a" + i)).done(),
                  table.change(bucket(0)).writes(file("data-b" + i)).done()));
    }
    assertThat(table.files()).hasSize(6);
    assertThat(table.latest().kind()).isEqualTo(Kind.APPEND);
  }

  @Test
  void a_delete_without_a_key_lets_others_append_but_not_delete() throws IOException {
    TestTable table = TestTable.append();
    commit(table, table.change(bucket(0)).writes(file("data-0"), file("data-1")).done());
    Snapshot base = table.latest();
    commit(table, table.change(bucket(0)).writes(file("data-2")).done());
    Snapshot deleted =
        table
            .commit(base)
            .commit(
                List.of(table.change(bucket(0)).deletes(deletions("index-0", "data-0:4")).done()))
            .orElseThrow();
    assertThat(deleted.kind()).isEqualTo(Kind.OVERWRITE);
    assertThat(table.files()).hasSize(3);
    BucketChange late = table.change(bucket(0)).deletes(deletions("index-1", "data-1:4")).done();
    assertThatThrownBy(() -> table.commit(base).commit(List.of(late)))
        .isInstanceOf(CommitConflictException.class);
    BucketChange beside = table.change(bucket(0)).deletes(deletions("index-x", "data-0:9")).done();
    assertThatThrownBy(() -> commit(table, beside))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has two bitmaps of data-0");
    // A second deletion file stands beside the first; a third takes its place.
    commit(table, table.change(bucket(0)).deletes(deletions("index-2", "data-1:4")).done());
    commit(
        table, table.change(bucket(0)).deletes(deletions("index-3", "data-0:5"), "index-0").done());
    assertThat(table.live().buckets(id -> true).get(0).deletions())
        .containsExactly(deletions("index-2", "data-1:4"), deletions("index-3", "data-0:5"));
  }

  @Test
  void overlapping_files_above_level_0_are_refused() throws IOException {
    TestTable table = withOneFile();
    BucketChange overlap = table.change(bucket(0)).writes(file("data-1", 5, 99, 120)).done();
    assertThatThrownBy(() -> commit(table, overlap))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "table db.t, bucket 0: the commit lets the keys of data-0 and data-1 overlap on level"
                + " 5.");
    assertThat(table.stored()).noneMatch(path -> path.contains("data-1"));
    commit(table, table.change(bucket(0)).writes(file("data-2", 5, 100, 120)).done());
    commit(table, table.change(bucket(0)).writes(file("data-3", 0, 0, 500)).done());
  }

  @Test
  void bitmaps_must_fit_to_the_files_that_are_live_afterwards() throws IOException {
    TestTable table = withOneFile();
    commit(table, table.change(bucket(0)).deletes(deletions("index-0", "data-0:5")).done());
    assertThatThrownBy(
            () ->
                commit(
                    table,
                    table
                        .change(bucket(0))
                        .deletes(deletions("index-1", "data-0:5", "data-x:1"))
                        .done()))
        .hasMessageContaining("has a bitmap of data-x, which is not live");
    assertThatThrownBy(
            () -> commit(table, table.change(bucket(0)).deletes(deletions("index-2")).done()))
        .hasMessageContaining("drops the bitmap of data-0, which is live");
    assertThatThrownBy(
            () ->
                commit(
                    table,
                    table.change(bucket(0)).deletes(deletions("index-3", "data-0:4")).done()))
        .hasMessageContaining("brings back rows of data-0: 5 were struck out, now 4");
    assertThatThrownBy(
            () ->
                commit(
                    table,
                    table
                        .change(bucket(0))
                        .removes(OLD)
                        .writes(file("data-4", 5, 0, 99))
                        .compacts()
                        .done()))
        .hasMessageContaining("has a bitmap of data-0, which is not live");
    assertThatThrownBy(
            () -> commit(table, table.change(bucket(0)).removes(file("data-9", 5, 0, 9)).done()))
        .hasMessageContaining("removes data-9, which is not live");
    // A file that moves keeps its bitmap.
    commit(table, table.change(bucket(0)).moves(OLD, 4).compacts().done());
    assertThat(table.latest().id()).isEqualTo(3);
  }

  @Test
  void a_partition_keeps_its_number_of_buckets_until_it_is_overwritten() throws IOException {
    TestTable table = TestTable.partitioned();
    commit(table, table.change(bucket(1, 0)).writes(file("data-0", 5, 0, 9)).done());
    BucketChange more =
        table.change(bucket(1, 1)).ofTotal(16).writes(file("data-1", 5, 0, 9)).done();
    assertThatThrownBy(() -> commit(table, more))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "table db.t, partition pt=1, bucket 1: the partition has files for 8 buckets, but rows"
                + " were spread over 16. Set option 'bucket' back, or replace the partition with"
                + " INSERT OVERWRITE.");
    commit(table, table.change(bucket(2, 0)).ofTotal(16).writes(file("data-2", 5, 0, 9)).done());
    table
        .commit()
        .overwrite(
            List.of(table.change(bucket(1, 9)).ofTotal(16).writes(file("data-3", 5, 0, 9)).done()),
            bucket(1, 0).partition()::equals);
    assertThat(table.files()).containsExactly("0/data-2@5", "9/data-3@5");
  }

  @Test
  void an_overwrite_takes_files_and_index_files_of_its_partitions_only() throws IOException {
    TestTable table = TestTable.partitioned();
    for (int partition = 1; partition <= 2; partition++) {
      commit(
          table,
          table
              .change(bucket(partition, 0))
              .writes(file("data-" + partition, 5, 0, 9))
              .deletes(deletions("index-" + partition, "data-" + partition + ":1"))
              .done());
    }
    Snapshot made =
        table
            .commit()
            .overwrite(
                List.of(table.change(bucket(1, 3)).writes(file("data-3", 5, 0, 9)).done()),
                bucket(1, 0).partition()::equals)
            .orElseThrow();
    assertThat(made.kind()).isEqualTo(Kind.OVERWRITE);
    assertThat(made.totalRecordCount()).isEqualTo(20);
    assertThat(made.deltaRecordCount()).isZero();
    assertThat(table.files()).containsExactly("0/data-2@5", "3/data-3@5");
    assertThat(table.live().indexEntries())
        .extracting(IndexEntry::fileName)
        .containsExactly("index-2");
    Snapshot emptied = table.commit().overwrite(List.of(), partition -> true).orElseThrow();
    assertThat(emptied.totalRecordCount()).isZero();
    assertThat(emptied.indexManifest()).isNull();
    assertThat(table.files()).isEmpty();
    BucketChange outside = table.change(bucket(1, 0)).writes(file("data-4", 5, 0, 9)).done();
    assertThatThrownBy(
            () -> table.commit().overwrite(List.of(outside), bucket(2, 0).partition()::equals))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "table db.t, partition pt=1, bucket 0: rows were written into a partition that the"
                + " overwrite does not replace");
    assertThat(table.stored()).noneMatch(path -> path.contains("data-4"));
  }

  @Test
  void an_overwrite_does_not_take_rows_that_it_never_saw() throws IOException {
    TestTable table = TestTable.partitioned();
    commit(table, table.change(bucket(1, 0)).writes(file("data-1", 5, 0, 9)).done());
    Snapshot base = table.latest();
    commit(table, table.change(bucket(1, 1)).writes(file("data-2", 5, 0, 9)).done());
    assertThatThrownBy(() -> table.commit(base).overwrite(List.of(), partition -> true))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageStartingWith("table db.t, partition pt=1, bucket 1 was changed");
    commit(table, table.change(bucket(2, 1)).writes(file("data-3", 5, 0, 9)).done());
    table.commit(table.latest()).overwrite(List.of(), bucket(1, 0).partition()::equals);
    assertThat(table.files()).containsExactly("1/data-3@5");
  }

  @Test
  void index_files_of_other_kinds_stay_as_they_are() throws IOException {
    TestTable table = withOneFile();
    List<IndexEntry> others =
        List.of(
            new IndexEntry(bucket(0), IndexEntry.HASH, "index-h", 40, 10, null, null, null),
            new IndexEntry(bucket(0), "B_TREE", "index-b", 5, 6, null, "file:/x/index-b", null),
            new IndexEntry(bucket(9), IndexEntry.HASH, "index-g", 40, 10, null, null, null));
    Snapshot before = table.latest();
    String index =
        new ManifestWriter(
                new Manifests(table.storage(), table.table().directory()), table.table().schema())
            .writeIndex(others);
    assertThat(table.table().snapshots().create(withIndex(before, 2, index))).isTrue();
    commit(table, table.change(bucket(0)).deletes(deletions("index-0", "data-0:1")).done());
    commit(table, table.change(bucket(0)).deletes(deletions("index-1", "data-0:2")).done());
    assertThat(table.live().indexEntries())
        .containsExactly(
            others.get(0),
            others.get(1),
            others.get(2),
            IndexEntry.of(bucket(0), deletions("index-1", "data-0:2")));
  }

  private static Snapshot withIndex(Snapshot s, long id, String index) {
    return new Snapshot(
        s.version(),
        id,
        s.schemaId(),
        s.baseManifestList(),
        s.baseManifestListSize(),
        s.deltaManifestList(),
        s.deltaManifestListSize(),
        null,
        null,
        index,
        "somebody",
        s.commitIdentifier(),
        s.kind(),
        s.timeMillis(),
        s.totalRecordCount(),
        s.deltaRecordCount(),
        s.changelogRecordCount(),
        77L,
        "stat-0",
        s.properties(),
        5L);
  }

  @Test
  void what_a_snapshot_passes_on_depends_on_the_schema() throws IOException {
    TestTable table = withOneFile();
    assertThat(table.table().snapshots().create(withIndex(table.latest(), 2, null))).isTrue();
    Snapshot next = commit(table, table.change(bucket(1)).writes(file("data-1", 5, 0, 9)).done());
    assertThat(next.watermark()).isEqualTo(77);
    assertThat(next.statistics()).isEqualTo("stat-0");
    assertThat(next.nextRowId()).isEqualTo(5);
    assertThat(next.schemaId()).isZero();
    TableSchema schema = table.table().schema();
    assertThat(table.table().schemas().create(schema.next(schema.options(), 1))).isTrue();
    Snapshot later = commit(table, table.change(bucket(2)).writes(file("data-2", 5, 0, 9)).done());
    assertThat(later.schemaId()).isEqualTo(1);
    assertThat(later.statistics()).isNull();
  }

  @Test
  void bitmaps_of_a_delete_map_are_checked_alike() throws IOException {
    TestTable table = withOneFile("delete-map.enabled", "true");
    commit(table, table.change(bucket(0)).maps(table.map("index-0", "data-0", 3)).done());
    assertThatThrownBy(
            () ->
                commit(
                    table, table.change(bucket(0)).maps(table.map("index-1", "data-x", 3)).done()))
        .hasMessageContaining("has a bitmap of data-x, which is not live");
    assertThatThrownBy(
            () ->
                commit(
                    table, table.change(bucket(0)).maps(table.map("index-2", "data-0", 2)).done()))
        .hasMessageContaining("brings back rows of data-0: 3 were struck out, now 2");
    commit(table, table.change(bucket(0)).maps(table.map("index-3", "data-0", 4)).done());
    assertThat(table.live().indexEntries())
        .containsExactly(
            new IndexEntry(
                bucket(0),
                IndexEntry.DELETE_MAP,
                "index-3",
                table.storage().size(table.table().directory().index("index-3")),
                1,
                null,
                null,
                null));
  }

  @Test
  void two_changes_of_one_keyed_bucket_are_refused() throws IOException {
    TestTable table = TestTable.keyed();
    BucketChange first = table.change(bucket(0)).writes(file("data-0", 5, 0, 9)).done();
    BucketChange second = table.change(bucket(0)).writes(file("data-1", 5, 10, 19)).done();
    assertThatThrownBy(() -> commit(table, first, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two changes of table db.t, bucket 0; one commit takes one of each");
    assertThat(table.stored()).isEmpty();
  }

  @Test
  void an_aborted_change_deletes_what_it_wrote_and_a_committed_one_nothing() throws IOException {
    TestTable table = withOneFile();
    BucketChange change =
        table
            .change(bucket(0))
            .moves(OLD, 4)
            .writes(file("data-1", 5, 0, 9))
            .deletes(deletions("index-0", "data-0:1"))
            .done();
    Set<String> before = table.stored();
    before.removeIf(path -> path.contains("data-1") || path.contains("index-0"));
    Commit commit = table.commit();
    commit.abort(List.of(change));
    commit.abort(List.of(change));
    assertThat(table.stored()).isEqualTo(before);
    BucketChange done = table.change(bucket(0)).moves(OLD, 4).done();
    Commit again = table.commit();
    again.commit(List.of(done));
    Set<String> committed = table.stored();
    again.abort(List.of(done));
    assertThat(table.stored()).isEqualTo(committed);
    assertThatThrownBy(() -> again.commit(List.of(done)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this commit was made already; take a new one");
  }
}
