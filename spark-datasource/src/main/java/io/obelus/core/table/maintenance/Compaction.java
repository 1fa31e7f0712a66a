package io.obelus.core.table.maintenance;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.BucketTasks;
import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One compaction of a table: plan it, run each bucket wherever there is room, commit all of it as
 * one snapshot. Compacting changes no row.
 *
 * <p>It is fixed to the snapshot that was the newest when it was made. Immutable, thread-safe,
 * serializable.
 */
public final class Compaction implements Serializable {

  private static final long serialVersionUID = 1;

  private final Table table;
  private final Snapshot base;
  private final BucketTasks tasks;
  private final Strategy strategy;

  @FunctionalInterface
  private interface Strategy extends Serializable {
    BucketChange run(BucketTasks tasks, BucketState bucket) throws IOException;
  }

  private Compaction(Table table, Snapshot base, Strategy strategy) {
    this.table = table;
    this.base = base;
    this.tasks = TableTasks.of(table);
    this.strategy = strategy;
  }

  /**
   * A compaction of the newest snapshot.
   *
   * @param full all runs of a bucket into one, bitmaps cleared; else only what is due (spec chapter
   *     08). Without a key: all small files merged, bitmaps cleared; else what is due (15)
   * @throws IllegalArgumentException if the table has an option that we cannot write by
   */
  public static Compaction of(Table table, boolean full) throws IOException {
    return of(table, (tasks, bucket) -> tasks.compact(bucket, full));
  }

  /**
   * One that only rewrites files of which more than {@code threshold} of the rows, 0 to 1, are
   * struck out, each for itself, without those rows.
   *
   * @throws IllegalArgumentException as {@link #of}; also for another threshold
   */
  public static Compaction purge(Table table, double threshold) throws IOException {
    if (!(threshold >= 0 && threshold <= 1)) {
      throw new IllegalArgumentException(
          "the share of struck-out rows above which a file is rewritten should be from 0 to 1 but"
              + " is "
              + threshold);
    }
    return of(table, (tasks, bucket) -> tasks.purge(bucket, threshold));
  }

  private static Compaction of(Table table, Strategy strategy) throws IOException {
    table.options().checkWritable();
    return new Compaction(table, table.snapshots().latest().orElse(null), strategy);
  }

  /**
   * The buckets that are wanted and hold files. A large one of a table without a key may come in
   * several parts, to be run each by itself and committed together.
   */
  public List<BucketState> buckets(Predicate<BucketId> wanted) throws IOException {
    return base == null
        ? List.of()
        : new LiveFiles(table, base)
            .buckets(wanted).stream().flatMap(bucket -> tasks.parts(bucket).stream()).toList();
  }

  /** Compacts one bucket; the change is empty if there is nothing to do. */
  public BucketChange run(BucketState bucket) throws IOException {
    return strategy.run(tasks, bucket);
  }

  /**
   * Makes the changes visible, and lets old snapshots expire.
   *
   * @return the new snapshot; empty if all changes are
   * @throws io.obelus.core.io.CommitConflictException if another commit changed one of the buckets;
   *     the table is then as that commit left it
   */
  public Optional<Snapshot> commit(Collection<BucketChange> changes) throws IOException {
    Optional<Snapshot> made =
        new Commit(table, base)
            .commit(changes.stream().filter(change -> !change.isEmpty()).toList());
    made.ifPresent(snapshot -> AfterCommit.run(table, snapshot));
    return made;
  }

  /** Deletes what changes wrote that will not be committed. */
  public void abort(Collection<BucketChange> changes) {
    new Commit(table, base).abort(changes);
  }
}
