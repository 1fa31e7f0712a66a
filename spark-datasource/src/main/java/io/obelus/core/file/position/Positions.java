package io.obelus.core.file.position;

import java.io.DataInput;
import java.io.IOException;
import org.roaringbitmap.RoaringBitmap;

/**
 * A set of row positions of one data file: a 32-bit Roaring bitmap. Positions are {@code [0,
 * 2^31)}: no data file holds more rows. Not thread-safe while it is changed.
 */
public final class Positions {

  private final RoaringBitmap bitmap;

  /** No position. */
  public Positions() {
    this(new RoaringBitmap());
  }

  /** The positions of a bitmap, which from now on belongs to this object. */
  public Positions(RoaringBitmap bitmap) {
    this.bitmap = bitmap;
  }

  /** The bitmap itself, for the codecs in {@code core.file}. */
  public RoaringBitmap bitmap() {
    return bitmap;
  }

  /** Adds one position; true if it was not there. */
  public boolean add(long position) {
    return bitmap.checkedAdd(Math.toIntExact(position));
  }

  public boolean contains(long position) {
    return bitmap.contains((int) position);
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

  static Positions read(DataInput in) throws IOException {
    RoaringBitmap bitmap = new RoaringBitmap();
    bitmap.deserialize(in);
    return new Positions(bitmap);
  }
}
