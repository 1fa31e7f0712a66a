package io.obelus.core.file.index.kind;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.SeekableInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of one index, read piece by piece. Not thread-safe. */
public interface Payload {

  /** Number of bytes. */
  int length();

  /** Bytes between two wanted ranges that are rather read than skipped. */
  default int gap() {
    return SeekableInput.REMOTE_GAP;
  }

  /** Where in a file byte {@code at} stands. */
  Place place(int at);

  /**
   * The bytes {@code [from, from + length)}, big endian; a buffer of their own, at its start.
   *
   * @throws CorruptFileException if they are not all in the payload
   */
  ByteBuffer read(int from, int length) throws IOException;

  /** All bytes. */
  default ByteBuffer readAll() throws IOException {
    return read(0, length());
  }

  /** A payload in memory. */
  static Payload of(ByteBuffer bytes, Place start) {
    ByteBuffer all = bytes.slice();
    return new Payload() {
      @Override
      public int length() {
        return all.capacity();
      }

      @Override
      public Place place(int at) {
        return start.plus(at);
      }

      @Override
      public ByteBuffer read(int from, int length) {
        checkRange(this, from, length);
        return all.slice(from, length);
      }
    };
  }

  /** Refuses a range that is not in the payload. */
  static void checkRange(Payload payload, int from, int length) {
    if (from < 0 || length < 0 || from > payload.length() - length) {
      throw new CorruptFileException(
          payload.place(0),
          "bytes [%d, %d) of the index should be within [0, %d) but are not"
              .formatted(from, (long) from + length, payload.length()));
    }
  }
}
