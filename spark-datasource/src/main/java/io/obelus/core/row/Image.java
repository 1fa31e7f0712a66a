package io.obelus.core.row;

import java.util.Arrays;

/**
 * A stretch of bytes that holds the image of a row, an array or a map, read with every access
 * measured first. Positions count from the image's start. Numbers are little endian.
 *
 * <p>IllegalArgumentException where the bytes do not add up: whoever knows the file adds the place.
 */
record Image(byte[] bytes, int start, int length) {

  byte getByte(int at) {
    return bytes[checked(at, 1)];
  }

  short getShort(int at) {
    return ImageBuffer.getShort(bytes, checked(at, 2));
  }

  int getInt(int at) {
    return ImageBuffer.getInt(bytes, checked(at, 4));
  }

  long getLong(int at) {
    return ImageBuffer.getLong(bytes, checked(at, 8));
  }

  /** Whether bit {@code bit}, counted from byte {@code from}, is set. */
  boolean bit(int from, int bit) {
    return (getByte(from + (bit >> 3)) & (1 << (bit & 7))) != 0;
  }

  /** The part {@code [at, at + count)} as an image of its own. */
  Image part(int at, int count) {
    return new Image(bytes, checked(at, count), count);
  }

  /** The item that a slot with offset and length points to. */
  Image item(long slot) {
    return part((int) (slot >>> 32), (int) slot);
  }

  /** A copy of the bytes. */
  byte[] copy() {
    return Arrays.copyOfRange(bytes, start, start + length);
  }

  private int checked(int at, int count) {
    if (at < 0 || count < 0 || (long) at + count > length) {
      throw new IllegalArgumentException(
          "bytes "
              + at
              + " to "
              + ((long) at + count)
              + " are pointed to, but there are only "
              + length);
    }
    return start + at;
  }
}
