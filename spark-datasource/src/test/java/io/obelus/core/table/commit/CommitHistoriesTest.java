package io.obelus.core.table.commit;

import static io.obelus.core.table.commit.TestTable.bucket;
import static io.obelus.core.table.commit.TestTable.deletions;
import static io.obelus.core.table.commit.TestTable.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.table.manifest.FileIdentity;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Long histories of commits, merged manifests and all, against a plain map of what is live. */
class CommitHistoriesTest {

  private static final class Model {
    final Map<BucketId, Map<String, DataFile>> files = new HashMap<>();
    final Map<BucketId, IndexEntry> deletions = new HashMap<>();

    Set<FileIdentity> identities() {
      Set<FileIdentity> all = new HashSet<>();
      files.forEach(
          (bucket, names) ->
              names.values().forEach(file -> all.add(FileIdentity.of(bucket, file))));
      return all;
    }
  }

  private int names;

  @Test
  void the_live_files_are_those_of_a_plain_map_after_every_commit() {
    Seeds.each(
        8,
        random -> {
          TestTable table = TestTable.partitioned(settings(random));
          Model model = new Model();
          for (int step = 0; step < 40; step++) {
            if (random.nextInt(12) == 0) {
              overwrite(random, table, model);
            } else {
              change(random, table, model);
            }
            check(random, table, model);
          }
        });
  }

  private static String[] settings(Random random) {
    return new String[] {
      "manifest.merge-min-count",
      Integer.toString(1 + random.nextInt(6)),
      "manifest.target-file-size",
      List.of("1 b", "3 kb", "8 mb").get(random.nextInt(3)),
      "manifest.full-compaction-threshold-size",
      List.of("1 b", "10 kb", "16 mb").get(random.nextInt(3))
    };
  }

  private void change(Random random, TestTable table, Model model) throws IOException {
    List<BucketChange> changes = new ArrayList<>();
    Set<BucketId> buckets = new HashSet<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      buckets.add(bucket(random.nextInt(3), random.nextInt(2)));
    }
    for (BucketId bucket : buckets) {
      changes.add(change(random, table, model, bucket));
    }
    table.commit().commit(changes);
  }

  private BucketChange change(Random random, TestTable table, Model model, BucketId bucket)
      throws IOException {
    Map<String, DataFile> live = model.files.computeIfAbsent(bucket, b -> new LinkedHashMap<>());
    TestTable.Change change = table.change(bucket);
    for (DataFile file : List.copyOf(live.values())) {
      switch (random.nextInt(6)) {
        case 0 -> {
          change.removes(file);
          live.remove(file.name());
        }
        case 1 -> {
          int level = file.level() == 5 ? 4 : file.level() + 1;
          change.moves(file, level);
          live.put(file.name(), file.atLevel(level));
        }
        default -> {}
      }
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      long key = 10L * names++;
      DataFile file = file("data-" + names, random.nextInt(6), key, key + 9);
      change.writes(file);
      live.put(file.name(), file);
    }
    // Bitmaps grow with the number of the name, so that none ever loses a row.
    change.deletes(
        deletions(
            "index-" + names++,
            live.keySet().stream().map(name -> name + ":" + names).toArray(String[]::new)));
    BucketChange done = change.done();
    model.deletions.put(bucket, IndexEntry.of(bucket, done.deletions()));
    return done;
  }

  private void overwrite(Random random, TestTable table, Model model) throws IOException {
    int partition = random.nextInt(3);
    BucketId target = bucket(partition, random.nextInt(2));
    model.files.keySet().removeIf(id -> id.partition().equals(target.partition()));
    model.deletions.keySet().removeIf(id -> id.partition().equals(target.partition()));
    List<BucketChange> changes = new ArrayList<>();
    if (random.nextBoolean()) {
      long key = 10L * names++;
      DataFile file = file("data-" + names, 5, key, key + 9);
      changes.add(table.change(target).writes(file).done());
      model.files.computeIfAbsent(target, b -> new LinkedHashMap<>()).put(file.name(), file);
    }
    table.commit().overwrite(changes, target.partition()::equals);
  }

  private static void check(Random random, TestTable table, Model model) throws IOException {
    List<ManifestEntry> entries = table.live().entries(bucket -> true);
    assertThat(entries.stream().map(FileIdentity::of).collect(Collectors.toSet()))
        .isEqualTo(model.identities())
        .hasSize(entries.size());
    assertThat(new HashSet<>(table.live().indexEntries()))
        .isEqualTo(new HashSet<>(model.deletions.values()));
    BucketId one = bucket(random.nextInt(3), random.nextInt(2));
    List<BucketState> states = table.live().buckets(one::equals);
    Map<String, DataFile> expected = model.files.getOrDefault(one, Map.of());
    assertThat(states).hasSize(expected.isEmpty() ? 0 : 1);
    for (BucketState state : states) {
      assertThat(new HashSet<>(state.files())).isEqualTo(new HashSet<>(expected.values()));
    }
    if (table.latest() != null) {
      assertThat(table.latest().totalRecordCount()).isEqualTo(10L * entries.size());
    }
  }

  @Test
  void manifests_are_merged_once_there_are_enough_of_them() throws IOException {
    TestTable table = TestTable.keyed("manifest.merge-min-count", "5");
    List<Integer> manifests = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      table
          .commit()
          .commit(List.of(table.change(bucket(i)).writes(file("data-" + i, 5, 0, 9)).done()));
      manifests.add(table.live().manifestFiles().size());
    }
    assertThat(manifests).containsExactly(1, 2, 3, 4, 5, 2, 3, 4, 5, 2, 3, 4);
    assertThat(table.files()).hasSize(12);
  }

  @Test
  void a_full_merge_drops_deletes_and_leaves_alone_what_they_do_not_touch() throws IOException {
    TestTable table =
        TestTable.partitioned(
            "manifest.target-file-size", "1 b", "manifest.full-compaction-threshold-size", "1 b");
    for (int partition = 0; partition < 4; partition++) {
      DataFile file = file("data-" + partition, 5, 0, 9);
      table.commit().commit(List.of(table.change(bucket(partition, 0)).writes(file).done()));
    }
    List<ManifestFile> before = table.live().manifestFiles();
    assertThat(before).hasSize(4);
    DataFile second = file("data-2", 5, 0, 9);
    table.commit().commit(List.of(table.change(bucket(2, 0)).moves(second, 4).compacts().done()));
    // The next commit merges; three manifests of large enough size are of other partitions.
    table
        .commit()
        .commit(List.of(table.change(bucket(9, 0)).writes(file("data-9", 5, 0, 9)).done()));
    List<ManifestFile> after = table.live().manifestFiles();
    assertThat(after).hasSize(5).containsAll(List.of(before.get(0), before.get(1), before.get(3)));
    assertThat(after).allMatch(manifest -> manifest.deleted() == 0);
    assertThat(table.files())
        .containsExactly("0/data-0@5", "0/data-1@5", "0/data-2@4", "0/data-3@5", "0/data-9@5");
  }
}
