package io.obelus.core.io;

import java.io.EOFException;

/** What every {@link SeekableInput} says when it is asked for bytes beyond the end of its file. */
final class SeekBounds {

  private SeekBounds() {}

  static void check(long offset, long size) throws EOFException {
    if (offset < 0 || offset > size) {
      throw new EOFException("cannot go to byte %d of a file of %d bytes".formatted(offset, size));
    }
  }

  static EOFException tooShort(long offset, long wanted, long size) {
    return new EOFException(
        "wanted %d bytes at byte %d of a file of %d bytes".formatted(wanted, offset, size));
  }
}
