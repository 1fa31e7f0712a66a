package io.obelus.core.table.manifest;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.nio.charset.StandardCharsets;

/**
 * Reads Avro's binary form from bytes in memory, and believes no length before it has measured what
 * is left: Avro's own decoder allocates whatever a damaged length asks for.
 *
 * <pre>
 *   int, long      zigzag, 7 bits a byte, low bits first, top bit set = one more byte
 *   bytes, string  long length, then that many bytes
 * </pre>
 */
final class AvroCursor {

  private final Place place;
  private final byte[] bytes;
  private final int start;
  private final int end;
  private int position;

  /**
   * @param place named in errors
   */
  AvroCursor(Place place, byte[] bytes, int start, int length) {
    this.place = place;
    this.bytes = bytes;
    this.start = start;
    this.end = start + length;
    this.position = start;
  }

  /** Index in the bytes of the next one. */
  int position() {
    return position;
  }

  int remaining() {
    return end - position;
  }

  long readLong() {
    long zigzag = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (position == end) {
        throw corrupt("the content ends inside a number");
      }
      byte next = bytes[position++];
      zigzag |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return (zigzag >>> 1) ^ -(zigzag & 1);
      }
    }
    throw corrupt("a number has more than ten bytes");
  }

  int readInt() {
    long value = readLong();
    if ((int) value != value) {
      throw corrupt("an int is " + value);
    }
    return (int) value;
  }

  byte[] readBytes() {
    int length = readLength();
    byte[] value = new byte[length];
    System.arraycopy(bytes, position, value, 0, length);
    position += length;
    return value;
  }

  String readString() {
    int length = readLength();
    String value = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return value;
  }

  /** A length or a count of things of at least one byte each: never more than what is left. */
  int readLength() {
    long length = readLong();
    if (length < 0 || length > remaining()) {
      throw corrupt("a length is %d, but %d bytes are left".formatted(length, remaining()));
    }
    return (int) length;
  }

  /**
   * The number of items in the next block of an array or map, 0 at its end. A negative count stands
   * before the block's size in bytes, which nobody here needs.
   */
  int readItemCount() {
    long count = readLong();
    if (count < 0) {
      readLength();
      count = -count;
    }
    if (count < 0 || count > remaining()) {
      throw corrupt("%d items are announced, but %d bytes are left".formatted(count, remaining()));
    }
    return (int) count;
  }

  void skip(int length) {
    if (length > remaining()) {
      throw corrupt("%d bytes should follow, but %d are left".formatted(length, remaining()));
    }
    position += length;
  }

  void skipBytes() {
    skip(readLength());
  }

  CorruptFileException corrupt(String problem) {
    return new CorruptFileException(
        place, "%s (%d bytes further on)".formatted(problem, position - start));
  }
}
