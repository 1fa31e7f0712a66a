package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.KeyedBucket;
import io.obelus.core.bucket.SortedRuns;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * From two snapshots to the files in which they differ, bucket by bucket. Buckets with the same
 * files and bitmaps on both sides are left out, and of others the files that are the same; what
 * happened between the two snapshots does not matter.
 */
public final class DifferencePlan {

  private final Table table;
  private final Snapshot before;
  private final Snapshot after;
  private final ScanCondition condition;

  private DifferencePlan(Table table, Snapshot before, Snapshot after, Predicate condition) {
    this.table = table;
    this.before = before;
    this.after = after;
    this.condition = new ScanCondition(table, condition);
  }

  /**
   * The differences, one or more for each bucket that has any.
   *
   * <p>The condition is about the rows that are returned. Of a keyed table only what it says about
   * partitions and keys counts: a row that does not fulfil the rest may replace one that does. What
   * cannot match is left out on both sides; rows of other keys that are read all the same may then
   * look as if they had changed.
   *
   * @param before null for what was before the first snapshot: no rows
   * @param condition rows that do not fulfil it may be returned or left out; the caller checks it
   * @throws IllegalArgumentException if it cannot be told what became of a row: in buckets whose
   *     number is not fixed, or has changed, a key may have moved; of a table without key, files of
   *     {@code before} have been rewritten
   */
  public static List<Difference> between(
      Table table, Snapshot before, Snapshot after, Predicate condition) throws IOException {
    table.options().checkReadable();
    return new DifferencePlan(table, before, after, condition).differences();
  }

  private List<Difference> differences() throws IOException {
    Map<BucketId, BucketState> old = states(before);
    Map<BucketId, BucketState> now = states(after);
    if (table.schema().keyed()) {
      checkBuckets(old, now);
    }
    Set<BucketId> buckets = new LinkedHashSet<>(old.keySet());
    buckets.addAll(now.keySet());
    List<Difference> differences = new ArrayList<>();
    for (BucketId bucket : buckets) {
      BucketState left = old.getOrDefault(bucket, empty(bucket, now.get(bucket)));
      BucketState right = now.getOrDefault(bucket, empty(bucket, left));
      boolean mayMatch = condition.mayMatchBucket(left) || condition.mayMatchBucket(right);
      boolean isSame =
          left.deletions().equals(right.deletions())
              && Set.copyOf(left.files()).equals(Set.copyOf(right.files()));
      if (mayMatch && !isSame) {
        add(differences, left, right);
      }
    }
    return differences;
  }

  private Map<BucketId, BucketState> states(Snapshot snapshot) throws IOException {
    return new LiveFiles(table, snapshot)
        .buckets(condition::mayMatchPartition).stream()
            .collect(Collectors.toMap(BucketState::id, s -> s));
  }

  private static BucketState empty(BucketId bucket, BucketState like) {
    return like == null
        ? null
        : new BucketState(bucket, like.directory(), like.totalBuckets(), List.of(), List.of());
  }

  private void checkBuckets(Map<BucketId, BucketState> old, Map<BucketId, BucketState> now) {
    Map<RowBytes, Integer> totals = new HashMap<>();
    List<BucketState> all = new ArrayList<>(old.values());
    all.addAll(now.values());
    for (BucketState bucket : all) {
      RowBytes partition = bucket.id().partition();
      int total = bucket.totalBuckets();
      if (total < 1) {
        throw new IllegalArgumentException(
            ("%s: its number of buckets is not fixed, so that a key may have moved between snapshots"
                    + " from one bucket to another; what lies between them cannot be read")
                .formatted(table.name()));
      } else if (!Objects.requireNonNullElse(totals.putIfAbsent(partition, total), total)
          .equals(total)) {
        throw new IllegalArgumentException(
            ("%s: partition '%s' has another number of buckets at %s than before, so that its keys"
                    + " have moved; what lies between the two cannot be read")
                .formatted(
                    table.name(), new PartitionPath(table.schema()).of(partition), name(after)));
      }
    }
  }

  private static String name(Snapshot snapshot) {
    return snapshot == null ? "no snapshot" : "snapshot " + snapshot.id();
  }

  private void add(List<Difference> differences, BucketState left, BucketState right)
      throws IOException {
    List<Split.Part> before = parts(left);
    List<Split.Part> after = parts(right);
    boolean merge = table.schema().keyed() && (mustMerge(left) || mustMerge(right));
    if (!merge) {
      Map<String, Split.Part> was = byName(before);
      Map<String, Split.Part> is = byName(after);
      before.removeIf(part -> isSame(part, is.get(part.file().name())));
      after.removeIf(part -> isSame(part, was.get(part.file().name())));
    }
    if (!table.schema().keyed()) {
      addFiles(differences, right, before, after);
      return;
    }
    before.removeIf(part -> !condition.mayMatchKey(left, part.file()));
    after.removeIf(part -> !condition.mayMatchKey(right, part.file()));
    if (!before.isEmpty() || !after.isEmpty()) {
      differences.add(new Difference(left.id(), before, after, merge));
    }
  }

  /** Rows without a key are told apart by where they are; each file is compared by itself. */
  private void addFiles(
      List<Difference> differences,
      BucketState bucket,
      List<Split.Part> before,
      List<Split.Part> after) {
    Map<String, Split.Part> was = byName(before);
    Set<String> names = new HashSet<>();
    for (Split.Part part : after) {
      Split.Part old = was.get(part.file().name());
      names.add(part.file().name());
      if (condition.mayMatch(bucket, part.file())) {
        differences.add(
            new Difference(
                bucket.id(), old == null ? List.of() : List.of(old), List.of(part), false));
      }
    }
    for (Split.Part part : before) {
      if (!names.contains(part.file().name())) {
        throw new IllegalArgumentException(
            ("%s has no primary key, and data file %s of %s is not in %s any more: whether its rows"
                    + " are gone or were rewritten cannot be told. Read from one compaction or"
                    + " overwrite to the next.")
                .formatted(table.name(), part.file().name(), name(this.before), name(this.after)));
      }
    }
  }

  private boolean mustMerge(BucketState bucket) {
    KeyedBucket keyed = TableBuckets.keyed(table, DataFiles.BatchSettings.DEFAULT);
    return new SortedRuns(keyed.shape().keyType())
        .sections(bucket.files()).stream().anyMatch(keyed::mustMerge);
  }

  private static Map<String, Split.Part> byName(List<Split.Part> parts) {
    return parts.stream().collect(Collectors.toMap(part -> part.file().name(), part -> part));
  }

  /** Whether the same rows are live on both sides, as far as metadata tell. */
  private static boolean isSame(Split.Part part, Split.Part other) {
    return other != null
        && part.deleted() == other.deleted()
        && Objects.equals(range(part), range(other));
  }

  /** Where a file's bitmap is; null if it has none. */
  private static Object range(Split.Part part) {
    if (part.deletions() == null) {
      return null;
    }
    DeletionFile deletions = part.deletions();
    return List.of(
        deletions.name(),
        deletions.ranges().stream()
            .filter(range -> range.dataFile().equals(part.file().name()))
            .toList());
  }

  private List<Split.Part> parts(BucketState bucket) throws IOException {
    DeletionCounts deletions = new DeletionCounts(table.deletionFiles(), bucket);
    List<Split.Part> parts = new ArrayList<>();
    for (DataFile file : bucket.files()) {
      parts.add(
          new Split.Part(
              bucket.id(),
              bucket.directory(),
              file,
              deletions.deletions(file),
              deletions.count(file),
              0,
              file.rowCount()));
    }
    return parts;
  }
}
