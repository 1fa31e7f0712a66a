package io.obelus.core.file.index.key;

import io.obelus.core.file.position.RoaringFormat;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.nio.ByteBuffer;
import org.roaringbitmap.RoaringBitmap;

/** Bitmaps of the rows of one data file, as indexes keep them. */
public final class RowBitmap {

  private RowBitmap() {}

  /** Reads a bitmap from where {@code bytes} stands; CorruptFileException if a row is too high. */
  public static RoaringBitmap read(ByteBuffer bytes, Place place, String what, long rowCount) {
    RoaringBitmap rows = RoaringFormat.read(bytes, place, what);
    if (!rows.isEmpty() && Integer.toUnsignedLong(rows.last()) >= rowCount) {
      throw new CorruptFileException(
          place, what + ": its last row", "below " + rowCount, Integer.toUnsignedLong(rows.last()));
    }
    return rows;
  }

  /** Reads a bitmap that takes all of {@code bytes}. */
  public static RoaringBitmap readAll(ByteBuffer bytes, Place place, String what, long rowCount) {
    RoaringBitmap rows = read(bytes, place, what, rowCount);
    if (bytes.hasRemaining()) {
      throw new CorruptFileException(
          place, what + ": length", bytes.position(), bytes.position() + bytes.remaining());
    }
    return rows;
  }
}
