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
  private final boolean full;

  private Compaction(Table table, Snapshot base, boolean full) {
    this.table = table;
    this.base = base;
    this.tasks = TableTasks.of(table);
    this.full = full;
  }

  /**
   * A compaction of the newest snapshot.
   *
   * @param full all runs of a bucket into one, bitmaps cleared; else only what is due (spec chapter
   *     08)
   * @throws IllegalArgumentException if the table has an option that we cannot write by
   */
  public static Compaction of(Table table, boolean full) throws IOException {
    table.options().checkWritable();
    return new Compaction(table, table.snapshots().latest().orElse(null), full);
  }

  /** The buckets that are wanted and hold files. */
  public List<BucketState> buckets(Predicate<BucketId> wanted) throws IOException {
    return base == null ? List.of() : new LiveFiles(table, base).buckets(wanted);
  }

  /** Compacts one bucket; the change is empty if there is nothing to do. */
  public BucketChange run(BucketState bucket) throws IOException {
    return tasks.compact(bucket, full);
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
