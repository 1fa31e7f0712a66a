package io.obelus.core.table.scan;

import io.obelus.core.row.Predicate;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * From a snapshot and a condition to the splits that hold the rows: partitions, buckets and files
 * that cannot match are left out. Immutable.
 */
public final class ScanPlan {

  /** What becomes of level-0 files that another writer left in a table with deletion bitmaps. */
  public enum LevelZero {
    /** They are part of the table. */
    MERGE,
    /** They are left out, as other engines' batch reads do. */
    SKIP
  }

  /** How much of the table the plan reads, for metrics and for people. */
  public record Figures(
      long files, long filesSkipped, long bitmaps, long rowsStruckOut, long rows, long bytes) {}

  /**
   * @param snapshot what to read; null = the table has none: nothing
   * @param condition rows that do not fulfil it may be left out; the caller checks it again
   */
  public static ScanPlan of(
      Table table, Snapshot snapshot, Predicate condition, LevelZero levelZero) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  public List<Split> splits() {
    throw new UnsupportedOperationException("to be written");
  }

  public Figures figures() {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Exact number of rows of the table where metadata tells it: no condition, no split that merges.
   */
  public OptionalLong exactRowCount() {
    throw new UnsupportedOperationException("to be written");
  }
}
