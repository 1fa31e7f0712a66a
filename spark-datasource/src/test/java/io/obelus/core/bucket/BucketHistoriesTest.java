package io.obelus.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.TestBucket.Change;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.row.RowKind;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is done to a bucket, it holds what a sorted map holds to which the same was done. */
class BucketHistoriesTest {

  /** Histories for each of the twenty seeds; {@code make soak} sets more. */
  private static final int HISTORIES = Integer.getInteger("histories", 12);

  @TempDir Path directory;

  private record Version(Long sequence, String value, boolean deleted) {}

  @Test
  void struck_out_by_32_bit_bitmaps() {
    histories(random -> history(random, DeletionCoding.BITMAP32, false));
  }

  @Test
  void struck_out_by_64_bit_bitmaps() {
    histories(random -> history(random, DeletionCoding.BITMAP64, false));
  }

  @Test
  void struck_out_by_a_delete_map() {
    histories(random -> history(random, DeletionCoding.DELETE_MAP, false));
  }

  @Test
  void an_older_sequence_loses_whenever_it_comes() {
    histories(random -> history(random, DeletionCoding.BITMAP32, true));
  }

  @Test
  void merged_on_read() {
    histories(random -> history(random, null, false));
  }

  @Test
  void merged_on_read_by_sequence() {
    histories(random -> history(random, null, true));
  }

  @FunctionalInterface
  private interface History {
    void run(Random random) throws IOException;
  }

  private void histories(History history) {
    Seeds.each(
        random -> {
          for (int i = 0; i < HISTORIES; i++) {
            history.run(random);
          }
        });
  }

  private void history(Random random, DeletionCoding coding, boolean bySequence)
      throws IOException {
    CompactionSettings settings =
        new CompactionSettings(
            2 + random.nextInt(4),
            2 + random.nextInt(6),
            random.nextInt(3),
            random.nextInt(4) == 0 ? 20 : 200,
            random.nextBoolean() ? 600 : 1 << 20,
            random.nextInt(8) == 0);
    Path place = Files.createTempDirectory(directory, "bucket");
    TestBucket bucket = new TestBucket(place, coding, bySequence, settings);
    TreeMap<Integer, Version> model = new TreeMap<>();
    int keys = 1 + random.nextInt(60);
    int steps = 1 + random.nextInt(9);
    StringBuilder story = new StringBuilder(settings.toString());
    for (int step = 0; step < steps; step++) {
      story.append("\n").append(step(random, bucket, model, keys, bySequence));
      bucket.check();
      assertThat(bucket.rows()).as(story.toString()).isEqualTo(live(model));
      if (coding == null && !bySequence && step == steps / 2 && random.nextInt(3) == 0) {
        bucket.switchBitmapsOn(DeletionCoding.BITMAP32);
        story.append("\nbitmaps on");
        assertThat(bucket.rows()).as(story.toString()).isEqualTo(live(model));
      }
    }
    deleteAll(place);
  }

  private static String step(
      Random random,
      TestBucket bucket,
      TreeMap<Integer, Version> model,
      int keys,
      boolean bySequence)
      throws IOException {
    int what = random.nextInt(11);
    if (what == 10) {
      double threshold = random.nextInt(3) * 0.2;
      bucket.purge(threshold);
      return "purge of files with more than " + threshold;
    }
    if (what == 0) {
      bucket.compact(true);
      return "full compaction";
    }
    if (what == 1) {
      bucket.compact(false);
      return "compaction";
    }
    boolean foreign = what == 2 || what == 3;
    List<Change> changes = changes(random, keys, bySequence, foreign);
    if (foreign) {
      bucket.writeLevelZero(changes);
    } else {
      bucket.write(changes);
    }
    changes.forEach(c -> apply(model, c, bySequence));
    return (foreign ? "level 0: " : "write: ") + changes;
  }

  /** In key order; one for each key if another engine merged them already. */
  private static List<Change> changes(
      Random random, int keys, boolean bySequence, boolean oneForEachKey) {
    List<Change> changes = new ArrayList<>();
    int count = random.nextInt(5) == 0 ? keys * 2 : 1 + random.nextInt(8);
    TreeSet<Integer> seen = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      int key = random.nextInt(keys);
      if (seen.add(key) || !oneForEachKey) {
        // Deletes by sequence are forgotten once compacted away, so they come with the newest one.
        boolean delete = random.nextInt(5) == 0 && !bySequence;
        Long sequence = random.nextInt(6) == 0 ? null : Long.valueOf(random.nextInt(6));
        String value = "v" + random.nextInt(1_000_000);
        RowKind kind =
            delete
                ? (random.nextBoolean() ? RowKind.DELETE : RowKind.UPDATE_BEFORE)
                : (random.nextBoolean() ? RowKind.INSERT : RowKind.UPDATE_AFTER);
        changes.add(new Change(key, sequence, value, kind));
      }
    }
    changes.sort(Comparator.comparingInt(Change::key));
    return changes;
  }

  private static void apply(TreeMap<Integer, Version> model, Change change, boolean bySequence) {
    Version old = model.get(change.key());
    boolean newer =
        old == null
            || !bySequence
            || Comparator.nullsFirst(Comparator.<Long>naturalOrder())
                    .compare(change.sequence(), old.sequence())
                >= 0;
    if (newer) {
      model.put(
          change.key(), new Version(change.sequence(), change.value(), change.kind().isRetract()));
    }
  }

  private static TreeMap<Integer, String> live(Map<Integer, Version> model) {
    TreeMap<Integer, String> rows = new TreeMap<>();
    model.forEach(
        (key, version) -> {
          if (!version.deleted()) {
            rows.put(key, version.value());
          }
        });
    return rows;
  }

  private static void deleteAll(Path place) throws IOException {
    try (var paths = Files.walk(place)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
