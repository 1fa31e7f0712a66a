package io.obelus.core.file.index;

import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Checksums of a container, kept in the redundant bytes of its head: other engines step over them,
 * and an index without them is read unchecked. A flipped bit in a bitmap is a row lost, and nothing
 * else would tell.
 *
 * <pre>
 *   int  tag, 4f42434b ("OBCK")
 *   int  CRC-32 of the head up to the number of redundant bytes, which is left out
 *   one int for each 8 KiB of the body, the last of which may be shorter: its CRC-32
 * </pre>
 *
 * <p>The body is checked piece by piece as it is read, so that a small answer still reads little.
 */
final class Checksums {

  private static final int TAG = 0x4f42434b;
  private static final int CHUNK = 8192;
  private static final int FIXED = 4 + 4;

  private Checksums() {}

  /** Number of bytes that checksums of a body of {@code bodyLength} bytes take. */
  static int length(int bodyLength) {
    return FIXED + Integer.BYTES * chunks(bodyLength);
  }

  private static int chunks(int bodyLength) {
    return (int) (((long) bodyLength + CHUNK - 1) / CHUNK);
  }

  /**
   * The checksums.
   *
   * @param head up to the number of redundant bytes
   */
  static byte[] of(ByteBuffer head, ByteBuffer body) {
    ByteBuffer sums = ByteBuffer.allocate(length(body.remaining()));
    sums.putInt(TAG).putInt(crc(head.slice()));
    for (int start = 0; start < body.remaining(); start += CHUNK) {
      sums.putInt(crc(body.slice(start, Math.min(CHUNK, body.remaining() - start))));
    }
    return sums.array();
  }

  /**
   * The container with its body checked as it is read, if it has checksums.
   *
   * @param head all bytes of it
   * @param redundant where in it the redundant bytes begin
   */
  static Payload checked(Payload container, ByteBuffer head, int redundant) {
    int bodyLength = container.length() - head.capacity();
    ByteBuffer sums = head.slice(redundant, head.capacity() - redundant);
    if (sums.capacity() < Integer.BYTES || sums.getInt(0) != TAG) {
      return container; // of another writer
    }
    Place place = container.place(redundant);
    if (sums.capacity() != length(bodyLength)) {
      throw new CorruptFileException(
          place, "bytes of checksums of a file index", length(bodyLength), sums.capacity());
    }
    check(container.place(0), "the head", sums.getInt(4), head.slice(0, redundant - 4));
    return new Checked(container, head.capacity(), sums);
  }

  private static void check(Place place, String what, int expected, ByteBuffer bytes) {
    int found = crc(bytes);
    if (found != expected) {
      throw new CorruptFileException(
          place,
          "CRC-32 of %s of a file index".formatted(what),
          "%08x".formatted(expected),
          "%08x".formatted(found));
    }
  }

  private static int crc(ByteBuffer bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private record Checked(Payload container, int bodyStart, ByteBuffer sums) implements Payload {

    @Override
    public int length() {
      return container.length();
    }

    @Override
    public int gap() {
      return container.gap();
    }

    @Override
    public Place place(int at) {
      return container.place(at);
    }

    @Override
    public ByteBuffer read(int from, int length) throws IOException {
      Payload.checkRange(this, from, length);
      if (length == 0 || from < bodyStart) {
        return container.read(from, length);
      }
      int firstChunk = (from - bodyStart) / CHUNK;
      int lastChunk = (from + length - 1 - bodyStart) / CHUNK;
      int start = bodyStart + firstChunk * CHUNK;
      int end = (int) Math.min(container.length(), bodyStart + (lastChunk + 1L) * CHUNK);
      ByteBuffer bytes = container.read(start, end - start);
      for (int chunk = firstChunk; chunk <= lastChunk; chunk++) {
        int at = (chunk - firstChunk) * CHUNK;
        ByteBuffer one = bytes.slice(at, Math.min(CHUNK, bytes.capacity() - at));
        check(
            container.place(start + at),
            "%d bytes".formatted(one.capacity()),
            sums.getInt(FIXED + Integer.BYTES * chunk),
            one);
      }
      return bytes.slice(from - start, length);
    }
  }
}
