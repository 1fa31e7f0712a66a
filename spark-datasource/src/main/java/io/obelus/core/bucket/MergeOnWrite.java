package io.obelus.core.bucket;

import io.obelus.core.bucket.merge.KeyedRecord;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileColumns;
import io.obelus.core.file.data.SortedFileCursor;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.ProjectedRow;
import io.obelus.core.row.RowType;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Strikes out, in the older runs of a bucket, the rows that new ones replace.
 *
 * <p>The new rows come in key order, so each older run is walked once beside them, in its key
 * columns only (and those that say which row is newer, where that is not plain). Memory: a batch
 * for each run. Not thread-safe.
 */
final class MergeOnWrite implements Closeable {

  private final BucketProbe older;
  private final BucketDeletions deletions;
  private final ProjectedRow key;
  private final SequenceOrder bySequence;

  /** Where the sequence number stands in probed rows; -1 if they have none. */
  private final int number;

  /**
   * @param runs of levels 1 and up; at most one live row of each key is in all of them together
   * @param byNumber whether records may have smaller sequence numbers than the rows that are there:
   *     another writer made them from an older snapshot, and they are the older ones
   */
  MergeOnWrite(
      KeyedBucket keyed,
      BucketState bucket,
      List<SortedRun> runs,
      BucketDeletions deletions,
      boolean byNumber) {
    this.deletions = deletions;
    RowShape shape = keyed.shape();
    key = new ProjectedRow(shape.row(), shape.key());
    RowType probed = probed(shape, byNumber);
    number = byNumber ? probed.size() - 1 : -1;
    bySequence = new SequenceOrder(shape.in(probed), shape);
    older =
        new BucketProbe(
            shape.keyType(),
            runs.stream().flatMap(run -> run.files().stream()).toList(),
            file -> open(keyed, bucket, file, probed));
  }

  /**
   * Strikes out the live row of the record's key, if there is one.
   *
   * @param overrules whether the record wins whatever the sequence fields say
   * @return whether the record is the newer one; else nothing is struck out and the record is to be
   *     left out
   */
  boolean replace(KeyedRecord record, boolean overrules) throws IOException {
    if (older.find(key.over(record.row()))) {
      if (!overrules && isNewer(older.row(), record)) {
        return false;
      }
      deletions.strikeOut(older.file(), older.position());
    }
    return true;
  }

  private boolean isNewer(InternalRow found, KeyedRecord record) {
    int order = bySequence.compare(found, record.row());
    return order > 0 || (order == 0 && number >= 0 && found.getLong(number) > record.sequence());
  }

  private SortedFileCursor open(
      KeyedBucket keyed, BucketState bucket, DataFile file, RowType probed) throws IOException {
    BucketFiles files = keyed.files();
    int[] keyColumns = new int[keyed.shape().key().length];
    Arrays.setAll(keyColumns, i -> i);
    return files
        .dataFiles()
        .openSorted(
            files.request(bucket, file, probed, deletions.live(file), Predicate.ALWAYS),
            keyColumns);
  }

  private static RowType probed(RowShape shape, boolean byNumber) {
    List<Column> columns = new ArrayList<>(shape.keyType().columns());
    for (int index : shape.sequence()) {
      Column column = shape.row().column(index);
      if (!columns.contains(column)) {
        columns.add(column);
      }
    }
    if (byNumber) {
      columns.add(DataFileColumns.SEQUENCE);
    }
    return new RowType(columns);
  }

  @Override
  public void close() throws IOException {
    older.close();
  }
}
