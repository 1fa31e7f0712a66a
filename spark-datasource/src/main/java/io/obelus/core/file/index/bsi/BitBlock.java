package io.obelus.core.file.index.bsi;

import java.util.Arrays;
import org.roaringbitmap.BitmapContainer;
import org.roaringbitmap.Container;

/** The bits of up to 65536 rows, the rows of one Roaring container, as words of 64 rows each. */
final class BitBlock {

  static final int ROWS = 1 << 16;

  /** Bits of an absolute value; the last would be that of the sign. */
  static final int BITS = Long.SIZE - 1;

  private static final int WORDS = ROWS / Long.SIZE;
  private static final long WORDS_BYTES = (long) WORDS * Long.BYTES;

  private final long[] exists = new long[WORDS];
  private final long[] negative = new long[WORDS];
  private final long[][] bits = new long[BITS][]; // null while no row has the bit
  private int kept; // how many are not null

  /** Turns the matrix of 64 × 64 bits around: bit i of word j becomes bit j of word i. */
  static void transpose(long[] words) {
    long mask = 0x0000_0000_FFFF_FFFFL; // lower half of each square, and the squares get smaller
    for (int side = 32; side != 0; side >>= 1, mask ^= mask << side) {
      for (int i = 0; i < Long.SIZE; i = (i + side + 1) & ~side) {
        long swapped = ((words[i] >>> side) ^ words[i + side]) & mask;
        words[i] ^= swapped << side;
        words[i + side] ^= swapped;
      }
    }
  }

  /**
   * Sets 64 rows.
   *
   * @param word which rows: [64 word, 64 word + 64)
   * @param slices one word per bit of the absolute values; only the first 63 may be other than 0
   */
  void put(int word, long[] slices, long existing, long negatives) {
    exists[word] = existing;
    negative[word] = negatives;
    for (int i = 0; i < BITS; i++) {
      if (slices[i] != 0) {
        if (bits[i] == null) {
          bits[i] = new long[WORDS];
          kept++;
        }
        bits[i][word] = slices[i];
      }
    }
  }

  /** Rows that have a number: those below 0 or the others. */
  Container existence(boolean below) {
    return container(exists, below);
  }

  /** Rows whose absolute value has a bit, of those below 0 or of the others; null if none has. */
  Container slice(int bit, boolean below) {
    return bits[bit] == null ? null : container(bits[bit], below);
  }

  private Container container(long[] words, boolean below) {
    long[] rows = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      rows[i] = words[i] & (below ? negative[i] : ~negative[i]);
    }
    // -1: not counted yet. An array if there are few rows, then runs if they are shorter.
    return new BitmapContainer(rows, -1).repairAfterLazy().runOptimize();
  }

  /** Forgets all rows. */
  void clear() {
    Arrays.fill(exists, 0);
    Arrays.fill(negative, 0);
    for (long[] words : bits) {
      if (words != null) {
        Arrays.fill(words, 0);
      }
    }
  }

  /** Bytes held. */
  long memory() {
    return WORDS_BYTES * (2 + kept);
  }
}
