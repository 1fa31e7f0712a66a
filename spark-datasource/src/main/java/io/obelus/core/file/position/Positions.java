package io.obelus.core.file.position;

import java.io.Serializable;
import java.util.function.LongConsumer;
import org.roaringbitmap.IntConsumer;
import org.roaringbitmap.RoaringBitmap;

/**
 * A set of row positions of one data file: a 32-bit Roaring bitmap. Positions are {@code [0,
 * 2^31)}: no data file holds more rows. Not thread-safe while it is changed.
 */
public final class Positions implements Serializable {

  private static final long serialVersionUID = 1;

  /** First number that is no position: 2^31. */
  public static final long LIMIT = 1L << 31;

  private final RoaringBitmap bitmap;

  /** No position. */
  public Positions() {
    this(new RoaringBitmap());
  }

  /**
   * The positions of a bitmap, which from now on belongs to this object.
   *
   * @throws IllegalArgumentException if it holds a number of 2^31 or more, which Roaring would take
   *     as unsigned
   */
  public Positions(RoaringBitmap bitmap) {
    if (!bitmap.isEmpty()) {
      check(Integer.toUnsignedLong(bitmap.last()));
    }
    this.bitmap = bitmap;
  }

  /** The positions {@code [from, to)}. */
  public static Positions range(long from, long to) {
    checkRange(from, to);
    return new Positions(RoaringBitmap.bitmapOfRange(from, to));
  }

  /** The bitmap itself, for the codecs in {@code core.file}. */
  public RoaringBitmap bitmap() {
    return bitmap;
  }

  /**
   * Adds one position; true if it was not there.
   *
   * @throws IllegalArgumentException if it is below 0 or not below 2^31
   */
  public boolean add(long position) {
    check(position);
    return bitmap.checkedAdd((int) position);
  }

  /** Adds all positions of {@code others}, which stays as it is. */
  public void addAll(Positions others) {
    bitmap.or(others.bitmap);
  }

  /** Whether {@code position} is in the set; any number may be asked for. */
  public boolean contains(long position) {
    return position >= 0 && position < LIMIT && bitmap.contains((int) position);
  }

  /** Whether any position of {@code [from, to)} is in the set. */
  public boolean intersects(long from, long to) {
    checkRange(from, to);
    return from < to && bitmap.intersects(from, to);
  }

  /** Hands all positions to {@code action}, ascending. */
  public void forEach(LongConsumer action) {
    bitmap.forEach((IntConsumer) action::accept);
  }

  public long cardinality() {
    return bitmap.getLongCardinality();
  }

  public boolean isEmpty() {
    return bitmap.isEmpty();
  }

  /** The largest position; NoSuchElementException if there is none. */
  public long max() {
    return bitmap.last();
  }

  /** An independent copy. */
  public Positions copy() {
    return new Positions(bitmap.clone());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Positions that && bitmap.equals(that.bitmap);
  }

  @Override
  public int hashCode() {
    return bitmap.hashCode();
  }

  @Override
  public String toString() {
    return bitmap.toString();
  }

  private static void check(long position) {
    if (position < 0 || position >= LIMIT) {
      throw new IllegalArgumentException(
          "Row position %d is not in [0, %d): no data file holds more rows."
              .formatted(position, LIMIT));
    }
  }

  static void checkRange(long from, long to) {
    if (from < 0 || to < from || to > LIMIT) {
      throw new IllegalArgumentException(
          "Row positions [%d, %d) are no range within [0, %d).".formatted(from, to, LIMIT));
    }
  }
}
