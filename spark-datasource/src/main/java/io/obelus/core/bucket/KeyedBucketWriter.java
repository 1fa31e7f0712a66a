package io.obelus.core.bucket;

import io.obelus.core.bucket.merge.KeyedRecord;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Writes to one bucket of a keyed table: makes one row of the rows of each key, streams them into a
 * new run, and in the end settles the bucket. Not thread-safe.
 *
 * <p>Memory: the row in hand, what {@link NewRun} holds, and the bucket's bitmaps.
 */
final class KeyedBucketWriter implements BucketWriter {

  private final KeyedBucket keyed;
  private final CompactionSettings settings;
  private final boolean ignoreRetracts;
  private final BucketState bucket;
  private final BucketEdit edit;
  private final BucketDeletions deletions;
  private final NewRun run;

  private final RowComparator byKey;
  private final SequenceOrder bySequence;
  private final RowBuffer pending;
  private final KeyedRecord record = new KeyedRecord();
  private boolean hasPending;
  private long pendingSequence;
  private byte pendingKind;
  private boolean pendingOverrules;
  private long nextSequence;
  private boolean finished;

  /**
   * @param ignoreRetracts whether rows that retract are left out ({@code ignore-delete})
   */
  KeyedBucketWriter(
      KeyedBucket keyed, CompactionSettings settings, boolean ignoreRetracts, BucketState bucket)
      throws IOException {
    this.keyed = keyed;
    this.settings = settings;
    this.ignoreRetracts = ignoreRetracts;
    this.bucket = bucket;
    keyed.files().checkBitmaps(bucket);
    edit = new BucketEdit(keyed.files().dataFiles().storage(), bucket);
    deletions =
        keyed.files().deletionCoding() == null ? null : BucketDeletions.of(keyed.files(), bucket);
    RowShape shape = keyed.shape();
    byKey = RowComparator.of(shape.row(), shape.key());
    bySequence = new SequenceOrder(shape, shape);
    pending = new RowBuffer(shape.row());
    nextSequence = 1 + bucket.files().stream().mapToLong(DataFile::maxSequence).max().orElse(-1);
    run = NewRun.begin(keyed, bucket, deletions);
  }

  @Override
  public void write(InternalRow row, byte kind) throws IOException {
    add(row, kind, false);
  }

  @Override
  public void overrule(InternalRow row, byte kind) throws IOException {
    if (keyed.shape().sequence().length > 0) {
      checkOverruling();
    }
    add(row, kind, true);
  }

  /** A stored row of a newer sequence gives way only if it is struck out, not if it is merged. */
  private void checkOverruling() {
    if (deletions == null) {
      throw new IllegalArgumentException(
          "rows of a table with 'sequence.field' can be deleted or updated by SQL only if it has"
              + " deletion bitmaps; set 'deletion-vectors.enabled' = 'true', or write rows whose"
              + " sequence is newer");
    }
    if (run.needsFullCompaction()) {
      throw new IllegalArgumentException(
          bucket.directory()
              + " holds files from before deletion bitmaps were switched on, which still have to be"
              + " merged; run CALL sys.compact on the table, then delete or update its rows");
    }
  }

  private void add(InternalRow row, byte kind, boolean overrules) throws IOException {
    long sequence = nextSequence++;
    if (ignoreRetracts && RowKind.isRetract(kind)) {
      return;
    }
    if (hasPending) {
      int order = byKey.compare(pending.row(), row);
      if (order > 0) {
        throw new IllegalStateException(
            bucket.id() + ": rows of one write should come in ascending order of the key");
      }
      if (order == 0 && !overrules && bySequence.compare(pending.row(), row) > 0) {
        return;
      }
      if (order < 0) {
        flushPending();
      }
    }
    pending.set(row);
    pendingSequence = sequence;
    pendingKind = kind;
    pendingOverrules = overrules || (hasPending && pendingOverrules);
    hasPending = true;
  }

  @Override
  public BucketChange finish() throws IOException {
    return finish(false);
  }

  /** As {@link #finish()}; {@code full} compacts all runs into one and clears the bitmaps. */
  BucketChange finish(boolean full) throws IOException {
    boolean logical = hasPending;
    if (hasPending) {
      flushPending();
    }
    List<DataFile> fresh = run.finish();
    fresh.forEach(edit::create);
    for (DataFile absorbed : run.absorbed()) {
      edit.remove(absorbed);
    }
    settle(fresh, full || run.needsFullCompaction());
    DeletionFile deletionFile = deletions == null ? null : deletions.write();
    long struckOut = deletions == null ? 0 : deletions.struckOut();
    finished = true;
    return edit.change(deletionFile, List.of(), struckOut, logical, bucket.totalBuckets());
  }

  private void flushPending() throws IOException {
    hasPending = false;
    run.add(record.set(pending.row(), pendingSequence, pendingKind), pendingOverrules);
  }

  /** Gives the new run its level, merging runs where there are too many. */
  private void settle(List<DataFile> fresh, boolean full) throws IOException {
    SortedRuns sortedRuns = keyed.sortedRuns();
    List<SortedRun> older =
        sortedRuns.of(edit.files().stream().filter(f -> !fresh.contains(f)).toList());
    List<SortedRun> runs = new ArrayList<>(older);
    if (!fresh.isEmpty()) {
      runs.add(0, new SortedRun(0, fresh));
    }
    Optional<CompactionPick> pick = pick(runs, fresh, full);
    if (pick.isEmpty()) {
      return;
    }
    if (!full && pick.get().runs() == 1 && !fresh.isEmpty()) {
      fresh.forEach(f -> edit.move(f, pick.get().outputLevel()));
    } else {
      new Compaction(keyed, bucket, edit, deletions, settings).run(runs, pick.get(), full);
    }
  }

  private Optional<CompactionPick> pick(List<SortedRun> runs, List<DataFile> fresh, boolean full) {
    if (runs.isEmpty()) {
      return Optional.empty();
    }
    if (full) {
      return Optional.of(CompactionPick.all(runs, settings));
    }
    Optional<CompactionPick> tooMany =
        settings.onlyForced() ? Optional.empty() : CompactionPick.of(runs, settings);
    boolean newestMustSettle = !fresh.isEmpty() && (deletions != null || runs.size() == 1);
    if (tooMany.isPresent() || !newestMustSettle) {
      return tooMany;
    }
    return Optional.of(CompactionPick.taking(runs, 1, settings));
  }

  @Override
  public void close() throws IOException {
    run.close();
    if (!finished) {
      edit.undo();
    }
  }
}
