package io.obelus.core.file.index.bsi;

import java.util.Arrays;
import org.roaringbitmap.RoaringBitmap;

/**
 * Numbers of rows, none below zero: slice i holds the rows whose number, less the smallest, has bit
 * i set. A row outside {@code existence} has no number. Never changed; what a method returns is the
 * caller's.
 *
 * @param min what is added to all numbers; 0 or more
 * @param existence rows that have a number
 * @param slices at most 63, lowest bit first, each within {@code existence}
 */
record Slices(long min, RoaringBitmap existence, RoaringBitmap[] slices) {

  /** No row has a number. */
  static final Slices NONE = new Slices(0, new RoaringBitmap(), new RoaringBitmap[0]);

  /** Number of slices where the largest number is {@code range} above the smallest. */
  static int count(long range) {
    return Long.SIZE - Long.numberOfLeadingZeros(range);
  }

  /** Rows whose number is below {@code number}, or equal to it if {@code orEqual}. */
  RoaringBitmap below(long number, boolean orEqual) {
    long bits = number - min;
    if (bits < 0) {
      return new RoaringBitmap();
    } else if (isAboveAll(bits)) {
      return existence.clone();
    }
    RoaringBitmap below = new RoaringBitmap();
    RoaringBitmap equal = existence.clone(); // in the bits looked at so far
    for (int i = slices.length - 1; i >= 0 && !equal.isEmpty(); i--) {
      if ((bits >>> i & 1) == 0) {
        equal.andNot(slices[i]);
      } else {
        below.or(RoaringBitmap.andNot(equal, slices[i]));
        equal.and(slices[i]);
      }
    }
    if (orEqual) {
      below.or(equal);
    }
    return below;
  }

  /** Rows whose number is above {@code number}, or equal to it if {@code orEqual}. */
  RoaringBitmap above(long number, boolean orEqual) {
    return RoaringBitmap.andNot(existence, below(number, !orEqual));
  }

  /** Rows whose number is one of {@code numbers}, which are ascending. */
  RoaringBitmap in(long[] numbers) {
    long[] bits = Arrays.stream(numbers).map(n -> n - min).filter(this::mayExist).toArray();
    RoaringBitmap found = new RoaringBitmap();
    addEqual(existence, bits, 0, bits.length, slices.length - 1, found);
    return found;
  }

  /**
   * Adds to {@code found} those of {@code rows} whose low bits are the low bits of one of the
   * numbers {@code [from, to)}. What numbers have in common is looked up once for all of them.
   *
   * @param rows all with the same higher bits as the numbers
   * @param bit the highest of the low bits; -1 if none is left
   */
  private void addEqual(
      RoaringBitmap rows, long[] numbers, int from, int to, int bit, RoaringBitmap found) {
    if (from == to || rows.isEmpty()) {
      return;
    } else if (bit < 0) {
      found.or(rows);
      return;
    }
    int ones = from;
    while (ones < to && (numbers[ones] >>> bit & 1) == 0) {
      ones++;
    }
    if (from < ones) {
      addEqual(RoaringBitmap.andNot(rows, slices[bit]), numbers, from, ones, bit - 1, found);
    }
    if (ones < to) {
      addEqual(RoaringBitmap.and(rows, slices[bit]), numbers, ones, to, bit - 1, found);
    }
  }

  private boolean mayExist(long bits) {
    return bits >= 0 && !isAboveAll(bits);
  }

  private boolean isAboveAll(long bits) {
    return bits >>> slices.length != 0;
  }

  /** The smallest number of {@code rows}, which are not empty and all have one. */
  long smallest(RoaringBitmap rows) {
    return extreme(rows, false);
  }

  /** The largest number of {@code rows}, which are not empty and all have one. */
  long largest(RoaringBitmap rows) {
    return extreme(rows, true);
  }

  private long extreme(RoaringBitmap rows, boolean largest) {
    RoaringBitmap left = rows;
    long bits = 0;
    for (int i = slices.length - 1; i >= 0; i--) {
      RoaringBitmap wanted =
          largest ? RoaringBitmap.and(left, slices[i]) : RoaringBitmap.andNot(left, slices[i]);
      boolean found = !wanted.isEmpty();
      left = found ? wanted : left;
      bits |= found == largest ? 1L << i : 0;
    }
    return min + bits;
  }
}
