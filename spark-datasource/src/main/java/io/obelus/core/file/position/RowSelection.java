package io.obelus.core.file.position;

import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RelativeRangeConsumer;
import org.roaringbitmap.RoaringBitmap;

/**
 * The row positions of one data file that a scan returns: {@code all(rowCount)}, narrowed by what
 * an index answers and by what is deleted. Immutable and thread-safe.
 *
 * <p>Ranges are half open and within {@code [0, rowCount)}; another range is an
 * IllegalArgumentException.
 */
public final class RowSelection {

  /** Rows {@code [from, to)} that are all selected; neither neighbour is. */
  public record Run(long from, long to) {}

  private final long rowCount;
  private final RoaringBitmap selected; // never changed; shared by no Positions
  private final long cardinality;

  private RowSelection(long rowCount, RoaringBitmap selected) {
    this.rowCount = rowCount;
    this.selected = selected;
    this.cardinality = selected.getLongCardinality();
  }

  /**
   * Every row of a file of {@code rowCount} rows.
   *
   * @throws IllegalArgumentException if that is below 0 or above 2^31
   */
  public static RowSelection all(long rowCount) {
    Positions.checkRange(0, rowCount);
    return new RowSelection(rowCount, RoaringBitmap.bitmapOfRange(0, rowCount));
  }

  /** The rows that are also among {@code candidates}. */
  public RowSelection and(Positions candidates) {
    return new RowSelection(rowCount, RoaringBitmap.and(selected, candidates.bitmap()));
  }

  /** The rows that may fulfil the condition that {@code candidates} are about. */
  public RowSelection and(Candidates candidates) {
    return candidates.isAny() ? this : and(candidates.positions());
  }

  /** The rows that are not among {@code deleted}. */
  public RowSelection without(Positions deleted) {
    return new RowSelection(rowCount, RoaringBitmap.andNot(selected, deleted.bitmap()));
  }

  /** The selected rows. */
  public Positions positions() {
    return new Positions(selected.clone());
  }

  /** Rows of the file, selected or not. */
  public long rowCount() {
    return rowCount;
  }

  /** Number of selected rows. */
  public long cardinality() {
    return cardinality;
  }

  public boolean isAll() {
    return cardinality == rowCount;
  }

  public boolean isEmpty() {
    return cardinality == 0;
  }

  /** Number of selected rows in {@code [from, to)}. */
  public long cardinality(long from, long to) {
    checkRange(from, to);
    return isAll() || from == to ? to - from : selected.rangeCardinality(from, to);
  }

  /**
   * Fills {@code offsets} with {@code position - from} of the selected rows in {@code [from, to)},
   * ascending.
   *
   * @param offsets at least {@code to - from} long
   * @return how many were filled in
   */
  public int offsets(long from, long to, int[] offsets) {
    checkRange(from, to);
    if (to - from > offsets.length) {
      throw new IllegalArgumentException(
          "Rows [%d, %d) need room for %d offsets, not %d."
              .formatted(from, to, to - from, offsets.length));
    }
    // Not by a BatchIterator: advanceIfNeeded of 0.9.45 skips a row that ends a run.
    OffsetFiller filler = new OffsetFiller(offsets);
    if (from < to) {
      selected.forAllInRange((int) from, (int) (to - from), filler);
    }
    return filler.filled;
  }

  /**
   * The selected rows in {@code [from, to)} as runs, ascending, each as long as the range allows.
   *
   * <p>One object per run: meant for a selection that is worth skipping pages for, not for one in
   * which every second row is missing.
   */
  public List<Run> runs(long from, long to) {
    checkRange(from, to);
    List<Run> runs = new ArrayList<>();
    long start = nextSelected(from, to);
    while (start < to) {
      long end = Math.min(to, selected.nextAbsentValue((int) start));
      runs.add(new Run(start, end));
      start = nextSelected(end, to);
    }
    return runs;
  }

  @Override
  public String toString() {
    return cardinality + " of " + rowCount + " rows";
  }

  /** The first selected row at or after {@code from}, or {@code to} if that is smaller. */
  private long nextSelected(long from, long to) {
    if (from >= to) {
      return to;
    }
    long next = selected.nextValue((int) from); // -1 if there is none
    return next < 0 ? to : Math.min(to, next);
  }

  private void checkRange(long from, long to) {
    if (from < 0 || to < from || to > rowCount) {
      throw new IllegalArgumentException(
          "Rows [%d, %d) are no range within the %d rows of the file."
              .formatted(from, to, rowCount));
    }
  }

  /** Takes positions relative to the start of a range, ascending, in runs where there are any. */
  private static final class OffsetFiller implements RelativeRangeConsumer {
    private final int[] offsets;
    private int filled;

    OffsetFiller(int[] offsets) {
      this.offsets = offsets;
    }

    @Override
    public void acceptPresent(int offset) {
      offsets[filled++] = offset;
    }

    @Override
    public void acceptAllPresent(int from, int to) {
      for (int offset = from; offset < to; offset++) {
        offsets[filled++] = offset;
      }
    }

    @Override
    public void acceptAbsent(int offset) {}

    @Override
    public void acceptAllAbsent(int from, int to) {}
  }
}
