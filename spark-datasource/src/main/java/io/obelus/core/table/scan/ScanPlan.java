package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.KeyedBucket;
import io.obelus.core.bucket.Section;
import io.obelus.core.bucket.SortedRuns;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.row.Predicate;
import io.obelus.core.table.scan.PlanFigures.Step;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From a snapshot and a condition to the splits that hold the rows: partitions, buckets and files
 * that cannot match are left out. Immutable.
 *
 * <p>Which splits must be merged by key is decided here and nowhere else (spec chapter 26, "Where
 * the rule may be used").
 */
public final class ScanPlan {

  /** What becomes of level-0 files that another writer left in a table with deletion bitmaps. */
  public enum LevelZero {
    /** They are part of the table. */
    MERGE,
    /** They are left out, as other engines' batch reads do. */
    SKIP,
    /** Every level below the highest is left out, with bitmaps or without: no rows are merged. */
    TOP_ONLY
  }

  /** Files whose indexes are read sooner than a job is begun: two or three buckets. */
  private static final int FEW_FILES = 16;

  /** Rows of which the same is true: of a bit-sliced index these are some 10 MiB. */
  private static final long FEW_ROWS = 4_000_000;

  /** Share of the rows: reading the others row by row costs more than Spark's own way. */
  private static final double INDEXED = 0.9;

  private final List<Split.Part> plain = new ArrayList<>();
  private final List<Split> merged = new ArrayList<>();
  private final Set<Integer> totals = new HashSet<>(); // numbers of buckets
  private final Table table;
  private final ScanCondition condition;
  private final IndexLookup indexes;
  private final LevelZero levelZero;
  private final PlanFigures figures = new PlanFigures();

  private ScanPlan(Table table, ScanCondition condition, IndexLookup indexes, LevelZero levelZero) {
    this.table = table;
    this.condition = condition;
    this.indexes = indexes;
    this.levelZero = levelZero;
  }

  /**
   * Plans a scan.
   *
   * @param snapshot what to read; null = the table has none: nothing
   * @param condition rows that do not fulfil it may be left out; the caller checks it again
   */
  public static ScanPlan of(
      Table table, Snapshot snapshot, Predicate condition, LevelZero levelZero) throws IOException {
    table.options().checkReadable();
    ScanPlan plan =
        new ScanPlan(
            table,
            new ScanCondition(table, condition),
            new IndexLookup(table, ScanFilter.of(condition)),
            levelZero);
    if (snapshot != null) {
      plan.add(snapshot);
    }
    return plan;
  }

  private void add(Snapshot snapshot) throws IOException {
    AtomicLong stored = new AtomicLong();
    List<BucketState> buckets =
        new LiveFiles(table, snapshot)
            .buckets(
                condition::mayMatchPartition,
                manifest -> {
                  stored.addAndGet(manifest.added() - manifest.deleted());
                  return true;
                });
    for (BucketState bucket : buckets) {
      add(bucket);
    }
    figures.leaveOutRest(Step.PARTITION, stored.get(), snapshot.totalRecordCount());
  }

  /** The splits, of about the size that the table's options ask for. */
  public List<Split> splits() {
    return splits(1);
  }

  /**
   * The splits, small enough for {@code tasks} tasks to share the work where there is enough of it.
   */
  public List<Split> splits(int tasks) {
    List<Split> splits = new ArrayList<>(merged);
    splits.addAll(packing(tasks).pack(plain));
    return splits;
  }

  /** As {@link #splits(int)}, but every file is whole. */
  public List<Split> wholeFileSplits(int tasks) {
    List<Split> splits = new ArrayList<>(merged);
    splits.addAll(packing(tasks).packWhole(plain));
    return splits;
  }

  /** As {@link #splits(int)}, but each split has files of one bucket only. */
  public List<Split> splitsOfBuckets(int tasks) {
    SplitPacking packing = packing(tasks);
    Map<BucketId, List<Split.Part>> buckets = new LinkedHashMap<>();
    plain.forEach(part -> buckets.computeIfAbsent(part.bucket(), b -> new ArrayList<>()).add(part));
    List<Split> splits = new ArrayList<>(merged);
    buckets.values().forEach(parts -> splits.addAll(packing.pack(parts)));
    return splits;
  }

  /** The buckets that are read. */
  public Set<BucketId> buckets() {
    return Stream.concat(plain.stream(), merged.stream().flatMap(split -> split.parts().stream()))
        .map(Split.Part::bucket)
        .collect(Collectors.toSet());
  }

  /**
   * The files by bucket, where the row of a key is found by looking into one of them: empty if rows
   * are merged, or a key does not tell its bucket.
   */
  public Optional<KeyedFiles> keyedFiles() {
    int number = table.options().bucket();
    if (!table.schema().keyed() || number <= 0 || !isSpreadOver(number) || !merged.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new KeyedFiles(table, plain.stream().collect(Collectors.groupingBy(Split.Part::bucket))));
  }

  /** Whether all files that are read were written when their partition had that many buckets. */
  public boolean isSpreadOver(int number) {
    return totals.stream().allMatch(total -> total == number);
  }

  private SplitPacking packing(int tasks) {
    long openCost = table.options().splitOpenFileCost();
    long share = Math.max(openCost, figures.bytes() / Math.max(1, tasks));
    return new SplitPacking(Math.min(table.options().splitTargetSize(), share), openCost);
  }

  /** Whether no rows are merged, and most of them are in files that have indexes. */
  public boolean isIndexed() {
    long indexed =
        plain.stream()
            .map(Split.Part::file)
            .filter(ScanPlan::hasIndex)
            .mapToLong(DataFile::rowCount)
            .sum();
    long all = plain.stream().mapToLong(part -> part.file().rowCount()).sum();
    return merged.isEmpty() && indexed >= all * INDEXED;
  }

  /**
   * All files as one split, to be read without a job; empty if they are many, or some are merged.
   */
  public Optional<Split> fewWholeFiles() {
    long rows = plain.stream().mapToLong(part -> part.file().rowCount()).sum();
    if (!merged.isEmpty() || plain.size() > FEW_FILES || rows > FEW_ROWS) {
      return Optional.empty();
    }
    return Optional.of(
        plain.isEmpty() ? Split.EMPTY : new Split(plain, false, figures.bytes(), figures.rows()));
  }

  private static boolean hasIndex(DataFile file) {
    return file.embeddedIndex() != null || !FileIndex.namesAmong(file.extraFiles()).isEmpty();
  }

  /** How much is read, and what ruled out the rest. */
  public PlanFigures figures() {
    return figures;
  }

  /**
   * Exact number of rows that the scan returns, where metadata tells it: the condition is about
   * partitions only, and no split merges.
   */
  public OptionalLong exactRowCount() {
    return condition.onlyOfPartitions() && merged.isEmpty()
        ? OptionalLong.of(figures.rows())
        : OptionalLong.empty();
  }

  private void add(BucketState bucket) throws IOException {
    if (!condition.mayMatchBucket(bucket)) {
      figures.leaveOut(Step.BUCKET, bucket.files());
      return;
    }
    totals.add(bucket.totalBuckets());
    DeletionCounts deletions = new DeletionCounts(table.deletionFiles(), bucket);
    if (!table.schema().keyed()) {
      for (DataFile file : bucket.files()) {
        addPlain(bucket, file, deletions);
      }
      return;
    }
    KeyedBucket keyed = TableBuckets.keyed(table, DataFiles.BatchSettings.DEFAULT);
    int lowest = lowestLevel(bucket);
    figures.leaveOut(Step.LEVEL, files(bucket, file -> file.level() < lowest));
    List<DataFile> visible = files(bucket, file -> file.level() >= lowest);
    for (Section section : new SortedRuns(keyed.shape().keyType()).sections(visible)) {
      if (keyed.mustMerge(section)) {
        addMerged(bucket, section, deletions);
      } else {
        for (DataFile file : section.files()) {
          addPlain(bucket, file, deletions);
        }
      }
    }
  }

  private static List<DataFile> files(
      BucketState bucket, java.util.function.Predicate<DataFile> wanted) {
    return bucket.files().stream().filter(wanted).toList();
  }

  private int lowestLevel(BucketState bucket) {
    return switch (levelZero) {
      case MERGE -> 0;
      case SKIP -> table.options().deletionCoding().isPresent() ? 1 : 0;
      case TOP_ONLY -> topLevel(bucket);
    };
  }

  /** The level that compaction moves rows to; a bucket may have a higher one from before. */
  private int topLevel(BucketState bucket) {
    return bucket.files().stream()
        .mapToInt(DataFile::level)
        .reduce(table.options().levels() - 1, Math::max);
  }

  private void addPlain(BucketState bucket, DataFile file, DeletionCounts deletions)
      throws IOException {
    Step step = ruledOutBy(bucket, file, deletions);
    if (step == null) {
      plain.add(part(bucket, file, deletions));
    } else {
      figures.leaveOut(step, List.of(file));
    }
  }

  /** Null if nothing rules the file out. */
  private Step ruledOutBy(BucketState bucket, DataFile file, DeletionCounts deletions)
      throws IOException {
    if (deletions.count(file) == file.rowCount()) {
      return Step.DELETION_BITMAPS;
    } else if (!condition.mayMatch(bucket, file)) {
      return statistics(bucket, file);
    }
    return indexes.inManifest(file).isNone() ? Step.EMBEDDED_INDEXES : null;
  }

  /** Whose statistics rule out a file that they do rule out. */
  private Step statistics(BucketState bucket, DataFile file) {
    return condition.mayMatchKey(bucket, file) ? Step.VALUE_STATISTICS : Step.KEY_STATISTICS;
  }

  /**
   * A value condition may drop a merged section only as a whole: the row that replaces a matching
   * one need not match. A key condition may drop single files.
   */
  private void addMerged(BucketState bucket, Section section, DeletionCounts deletions) {
    List<DataFile> all = section.files();
    if (all.stream().noneMatch(f -> condition.mayMatch(bucket, f))) {
      all.forEach(file -> figures.leaveOut(statistics(bucket, file), List.of(file)));
      return;
    }
    List<Split.Part> parts = new ArrayList<>();
    for (DataFile file : all) {
      if (condition.mayMatchKey(bucket, file)) {
        parts.add(part(bucket, file, deletions));
      } else {
        figures.leaveOut(Step.KEY_STATISTICS, List.of(file));
      }
    }
    long size = parts.stream().mapToLong(p -> p.file().size()).sum();
    if (!parts.isEmpty()) {
      merged.add(new Split(parts, true, size, 0));
    }
  }

  private Split.Part part(BucketState bucket, DataFile file, DeletionCounts deletions) {
    long deleted = deletions.count(file);
    figures.read(file, deleted);
    return new Split.Part(
        bucket.id(),
        bucket.directory(),
        file,
        deletions.deletions(file),
        deleted,
        0,
        file.rowCount());
  }
}
