package io.obelus.core.table.inspect;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.table.scan.DeletionCounts;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;

/**
 * A table at one snapshot in four numbers. Reads the manifests and no data.
 *
 * @param files live data files
 * @param bytes of them, struck-out rows included
 * @param liveRows rows that no bitmap strikes out; where rows are merged when they are read, fewer
 *     come out
 * @param struckOutRows rows that a bitmap strikes out
 */
public record TableSummary(long files, long bytes, long liveRows, long struckOutRows) {

  /**
   * Adds up a snapshot.
   *
   * @param snapshot null if the table has none: all numbers are 0
   */
  public static TableSummary of(Table table, Snapshot snapshot) throws IOException {
    FileTotals totals = new FileTotals();
    long struckOut = 0;
    for (BucketState bucket : new LiveFiles(table, snapshot).buckets(id -> true)) {
      DeletionCounts deletions = new DeletionCounts(table.deletionFiles(), bucket);
      for (DataFile file : bucket.files()) {
        totals.add(file);
        struckOut += deletions.count(file);
      }
    }
    return new TableSummary(totals.files, totals.bytes, totals.rows - struckOut, struckOut);
  }
}
