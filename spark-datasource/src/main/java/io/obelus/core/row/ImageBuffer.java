package io.obelus.core.row;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that grow at their end while a row image is written into them. Whatever is reserved is zero
 * until it is set; positions are absolute. Numbers are little endian. Not thread-safe.
 */
final class ImageBuffer {

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[64];
  private int end;

  /** Forgets everything but the memory. */
  void clear() {
    end = 0;
  }

  /** Bytes reserved so far. */
  int end() {
    return end;
  }

  /** The bytes themselves, valid up to {@link #end} and until the next reservation. */
  byte[] bytes() {
    return bytes;
  }

  /** Adds {@code count} zero bytes and returns the position of the first. */
  int reserve(int count) {
    int from = end;
    int to = Math.addExact(from, count);
    if (to > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(2L * to, Integer.MAX_VALUE - 8));
    }
    Arrays.fill(bytes, from, to, (byte) 0);
    end = to;
    return from;
  }

  /** As {@link #reserve}, with the count rounded up to whole 8-byte words. */
  int reserveWords(int count) {
    return reserve(wordsFor(count));
  }

  /** {@code count} rounded up to a multiple of 8. */
  static int wordsFor(int count) {
    return Math.addExact(count, 7) & ~7;
  }

  void setBit(int from, int bit) {
    bytes[from + (bit >> 3)] |= (byte) (1 << (bit & 7));
  }

  void putByte(int at, int value) {
    bytes[at] = (byte) value;
  }

  void putShort(int at, short value) {
    SHORTS.set(bytes, at, value);
  }

  void putInt(int at, int value) {
    INTS.set(bytes, at, value);
  }

  void putLong(int at, long value) {
    LONGS.set(bytes, at, value);
  }

  /** The slot of an item that stands elsewhere: its offset from the image's start, its length. */
  void putOffset(int at, int offset, int length) {
    putLong(at, ((long) offset << 32) | length);
  }

  static short getShort(byte[] bytes, int at) {
    return (short) SHORTS.get(bytes, at);
  }

  static int getInt(byte[] bytes, int at) {
    return (int) INTS.get(bytes, at);
  }

  static long getLong(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }
}
