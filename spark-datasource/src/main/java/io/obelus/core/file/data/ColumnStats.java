package io.obelus.core.file.data;

import io.obelus.core.row.RowBytes;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Smallest and largest values and null counts of some columns of a file (spec chapter 04,
 * SimpleStats).
 *
 * @param min row of the columns' minima; null field = unknown
 * @param max row of the columns' maxima; null field = unknown
 * @param nullCounts one per column, null = unknown
 */
public record ColumnStats(RowBytes min, RowBytes max, Long[] nullCounts) implements Serializable {

  public static final ColumnStats NONE =
      new ColumnStats(RowBytes.EMPTY, RowBytes.EMPTY, new Long[0]);

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnStats that
        && min.equals(that.min)
        && max.equals(that.max)
        && Arrays.equals(nullCounts, that.nullCounts);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * min.hashCode() + max.hashCode()) + Arrays.hashCode(nullCounts);
  }
}
