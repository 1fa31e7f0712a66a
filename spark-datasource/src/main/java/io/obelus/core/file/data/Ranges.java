package io.obelus.core.file.data;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;

/** Parquet's ranges of rows of one row group, made of any runs we like. */
final class Ranges {

  private Ranges() {}

  /**
   * Exactly these runs. Parquet has no constructor for it, but takes ranges from the pages of an
   * offset index: ours has a "page" per run.
   *
   * @param rowCount rows of the row group
   * @param from first row of each run, ascending
   * @param to end of each run, not in it
   */
  static RowRanges of(long rowCount, long[] from, long[] to, int count) {
    OffsetIndex runsAsPages =
        new OffsetIndex() {
          @Override
          public int getPageCount() {
            return count;
          }

          @Override
          public long getOffset(int page) {
            return 0;
          }

          @Override
          public int getCompressedPageSize(int page) {
            return 0;
          }

          @Override
          public long getFirstRowIndex(int page) {
            return from[page];
          }

          @Override
          public long getLastRowIndex(int page, long totalRowCount) {
            return to[page] - 1;
          }
        };
    return RowRanges.create(rowCount, IntStream.range(0, count).iterator(), runsAsPages);
  }

  /** The rows of both; null stands for all rows. */
  static RowRanges both(RowRanges left, RowRanges right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return RowRanges.intersection(left, right);
  }

  /** Walks ranges row by row, from one batch to the next. */
  static final class Walk {
    private final List<RowRanges.Range> ranges;
    private int range;
    private long next;

    Walk(RowRanges ranges) {
      this.ranges = ranges.getRanges();
      this.next = this.ranges.isEmpty() ? 0 : this.ranges.get(0).from;
    }

    /** The row that comes next. */
    long next() {
      return next;
    }

    /** How many rows follow each other from {@link #next()} on; 0 at the end. */
    long run() {
      return range == ranges.size() ? 0 : ranges.get(range).to - next + 1;
    }

    /** Moves on by at most {@link #run()} rows. */
    void skip(long rows) {
      next += rows;
      if (next > ranges.get(range).to && ++range < ranges.size()) {
        next = ranges.get(range).from;
      }
    }
  }
}
