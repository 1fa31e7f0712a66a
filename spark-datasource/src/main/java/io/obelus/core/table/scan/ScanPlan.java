package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.KeyedBucket;
import io.obelus.core.bucket.Section;
import io.obelus.core.bucket.SortedRuns;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.row.Predicate;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

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

  /**
   * How much of the table the plan reads, for metrics and for people.
   *
   * @param files data files that are read
   * @param filesSkipped data files that cannot match or have no live row
   * @param bitmaps of the files read, how many have a deletion bitmap
   * @param rowsStruckOut rows of the files read that their bitmaps strike out
   * @param rows live rows of the files read; an upper bound where files must be merged
   * @param bytes of the files read
   */
  public record Figures(
      long files, long filesSkipped, long bitmaps, long rowsStruckOut, long rows, long bytes) {}

  /** Share of the rows: reading the others row by row costs more than Spark's own way. */
  private static final double INDEXED = 0.9;

  private final List<Split.Part> plain = new ArrayList<>();
  private final List<Split> merged = new ArrayList<>();
  private final Table table;
  private final ScanCondition condition;
  private final IndexLookup indexes;
  private final LevelZero levelZero;
  private long files;
  private long skipped;
  private long bitmaps;
  private long struckOut;
  private long rows;
  private long bytes;

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
      for (BucketState bucket :
          new LiveFiles(table, snapshot).buckets(plan.condition::mayMatchPartition)) {
        plan.add(bucket);
      }
    }
    return plan;
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

  private SplitPacking packing(int tasks) {
    long openCost = table.options().splitOpenFileCost();
    long share = Math.max(openCost, bytes / Math.max(1, tasks));
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

  private static boolean hasIndex(DataFile file) {
    return file.embeddedIndex() != null || !FileIndex.namesAmong(file.extraFiles()).isEmpty();
  }

  public Figures figures() {
    return new Figures(files, skipped, bitmaps, struckOut, rows, bytes);
  }

  /**
   * Exact number of rows that the scan returns, where metadata tells it: the condition is about
   * partitions only, and no split merges.
   */
  public OptionalLong exactRowCount() {
    return condition.onlyOfPartitions() && merged.isEmpty()
        ? OptionalLong.of(rows)
        : OptionalLong.empty();
  }

  private void add(BucketState bucket) throws IOException {
    if (!condition.mayMatchBucket(bucket)) {
      skipped += bucket.files().size();
      return;
    }
    DeletionCounts deletions = new DeletionCounts(table.deletionFiles(), bucket);
    if (!table.schema().keyed()) {
      for (DataFile file : bucket.files()) {
        addPlain(bucket, file, deletions);
      }
      return;
    }
    KeyedBucket keyed = TableBuckets.keyed(table, DataFiles.BatchSettings.DEFAULT);
    for (Section section : new SortedRuns(keyed.shape().keyType()).sections(visible(bucket))) {
      if (keyed.mustMerge(section)) {
        addMerged(bucket, section, deletions);
      } else {
        for (DataFile file : section.files()) {
          addPlain(bucket, file, deletions);
        }
      }
    }
  }

  private List<DataFile> visible(BucketState bucket) {
    return switch (levelZero) {
      case MERGE -> bucket.files();
      case SKIP -> table.options().deletionCoding().isPresent() ? from(1, bucket) : bucket.files();
      case TOP_ONLY -> from(topLevel(bucket), bucket);
    };
  }

  private static List<DataFile> from(int level, BucketState bucket) {
    return bucket.files().stream().filter(f -> f.level() >= level).toList();
  }

  /** The level that compaction moves rows to; a bucket may have a higher one from before. */
  private int topLevel(BucketState bucket) {
    return bucket.files().stream()
        .mapToInt(DataFile::level)
        .reduce(table.options().levels() - 1, Math::max);
  }

  private void addPlain(BucketState bucket, DataFile file, DeletionCounts deletions)
      throws IOException {
    if (deletions.count(file) == file.rowCount()
        || !condition.mayMatch(bucket, file)
        || indexes.inManifest(file).isNone()) {
      skipped++;
      return;
    }
    plain.add(part(bucket, file, deletions));
  }

  /**
   * A value condition may drop a merged section only as a whole: the row that replaces a matching
   * one need not match. A key condition may drop single files.
   */
  private void addMerged(BucketState bucket, Section section, DeletionCounts deletions) {
    List<DataFile> all = section.files();
    if (all.stream().noneMatch(f -> condition.mayMatch(bucket, f))) {
      skipped += all.size();
      return;
    }
    List<Split.Part> parts = new ArrayList<>();
    for (DataFile file : all) {
      if (condition.mayMatchKey(bucket, file)) {
        parts.add(part(bucket, file, deletions));
      } else {
        skipped++;
      }
    }
    long size = parts.stream().mapToLong(p -> p.file().size()).sum();
    merged.add(new Split(parts, true, size, 0));
  }

  private Split.Part part(BucketState bucket, DataFile file, DeletionCounts deletions) {
    long deleted = deletions.count(file);
    files++;
    bitmaps += deleted > 0 ? 1 : 0;
    struckOut += deleted;
    rows += file.rowCount() - deleted;
    bytes += file.size();
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
