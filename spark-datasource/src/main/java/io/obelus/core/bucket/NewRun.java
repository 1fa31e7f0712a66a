package io.obelus.core.bucket;

import io.obelus.core.bucket.merge.KeyedRecord;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileWriter;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowKind;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The sorted run that one write adds to a bucket. Not thread-safe.
 *
 * <p>With deletion bitmaps it takes in the level-0 files that another writer left, in the same
 * pass, and each of its records first strikes out the older row of its key: afterwards the run
 * needs no older one. Without bitmaps, and where older runs still have to be merged because bitmaps
 * were switched on later, records are written as they come.
 */
final class NewRun implements Closeable {

  private final DataFileWriter writer;
  private final RowComparator byKey;
  private final KeyedBucket keyed;
  private final List<DataFile> absorbed;
  private final boolean keepsRetracts;
  private final boolean needsFullCompaction;

  /** Null where nothing is struck out. */
  private final MergeOnWrite older;

  private final MergeReader levelZero;
  private boolean hasLevelZero;
  private final KeyedRecord[] both = new KeyedRecord[2];
  private final SequenceOrder bySequence;

  private NewRun(
      KeyedBucket keyed,
      BucketState bucket,
      MergeOnWrite older,
      List<DataFile> absorbed,
      MergeReader levelZero,
      boolean keepsRetracts,
      boolean needsFullCompaction)
      throws IOException {
    this.keyed = keyed;
    this.older = older;
    this.absorbed = absorbed;
    this.levelZero = levelZero;
    this.keepsRetracts = keepsRetracts;
    this.needsFullCompaction = needsFullCompaction;
    byKey = RowComparator.of(keyed.shape().row(), keyed.shape().key());
    bySequence = new SequenceOrder(keyed.shape(), keyed.shape());
    writer = keyed.newFiles(bucket, DataFile.SOURCE_APPEND);
    hasLevelZero = levelZero != null && levelZero.next();
  }

  /**
   * Begins a run.
   *
   * @param deletions bitmaps of the bucket; null in a merge-on-read table
   */
  static NewRun begin(KeyedBucket keyed, BucketState bucket, BucketDeletions deletions)
      throws IOException {
    if (deletions == null) {
      boolean keepsRetracts = !bucket.files().isEmpty();
      return new NewRun(keyed, bucket, null, List.of(), null, keepsRetracts, false);
    }
    SortedRuns sortedRuns = keyed.sortedRuns();
    List<SortedRun> settled =
        sortedRuns.of(bucket.files().stream().filter(f -> f.level() > 0).toList());
    if (sortedRuns.sectionsOf(settled).stream().anyMatch(keyed::mustMerge)) {
      return new NewRun(keyed, bucket, null, List.of(), null, true, true);
    }
    List<DataFile> levelZero = bucket.files().stream().filter(f -> f.level() == 0).toList();
    MergeOnWrite older = new MergeOnWrite(keyed, bucket, settled, deletions, !levelZero.isEmpty());
    MergeReader merged = null;
    if (!levelZero.isEmpty()) {
      List<List<DataFile>> runs = sortedRuns.of(levelZero).stream().map(SortedRun::files).toList();
      merged =
          keyed.merge(
              keyed.shape().row(),
              new Section(runs),
              keyed.opener(bucket, f -> RowSelection.all(f.rowCount())));
    }
    return new NewRun(keyed, bucket, older, levelZero, merged, false, false);
  }

  /**
   * Adds the only record of its key, in key order.
   *
   * @param overrules whether it wins over stored ones whatever the sequence fields say
   */
  void add(KeyedRecord record, boolean overrules) throws IOException {
    while (hasLevelZero) {
      KeyedRecord left = levelZero.record();
      int order = byKey.compare(left.row(), record.row());
      if (order > 0) {
        break;
      }
      if (order == 0) {
        place(overrules ? record : merged(left, record), overrules);
        hasLevelZero = levelZero.next();
        return;
      }
      place(left, false);
      hasLevelZero = levelZero.next();
    }
    place(record, overrules);
  }

  /** Writes what is left; the files are described at level 0. */
  List<DataFile> finish() throws IOException {
    while (hasLevelZero) {
      place(levelZero.record(), false);
      hasLevelZero = levelZero.next();
    }
    return writer.finish(0);
  }

  /** Level-0 files of the bucket whose rows are now in this run. */
  List<DataFile> absorbed() {
    return absorbed;
  }

  /**
   * Whether nothing was struck out, so that all runs must be merged before the bucket can be read
   * file by file.
   */
  boolean needsFullCompaction() {
    return needsFullCompaction;
  }

  private KeyedRecord merged(KeyedRecord left, KeyedRecord record) {
    boolean leftIsNewer = bySequence.compare(left.row(), record.row()) > 0;
    both[0] = leftIsNewer ? record : left;
    both[1] = leftIsNewer ? left : record;
    return keyed.engine().merge(both, 2);
  }

  private void place(KeyedRecord record, boolean overrules) throws IOException {
    if (older != null && !older.replace(record, overrules)) {
      return;
    }
    if (keepsRetracts || !RowKind.isRetract(record.kind())) {
      writer.write(record.row(), record.sequence(), record.kind());
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
    if (older != null) {
      older.close();
    }
    if (levelZero != null) {
      levelZero.close();
    }
  }
}
