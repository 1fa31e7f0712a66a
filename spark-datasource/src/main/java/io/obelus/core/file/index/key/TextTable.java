package io.obelus.core.file.index.key;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.types.UTF8String;

/** Keys that are texts, one after another in one array. */
final class TextTable extends KeyTable {

  /** A boxed code and its places in the array that is sorted and in the sort's own. */
  private static final int SORTED_BYTES = 24;

  private static final int MOST_BYTES = Integer.MAX_VALUE - 16; // arrays end somewhere there

  private byte[] texts = new byte[256];
  private int[] ends = new int[16]; // by code, in texts
  private int[] hashes = new int[16]; // by code
  private boolean overflown;

  @Override
  int codeOf(SpecializedGetters values, int ordinal) {
    UTF8String text = values.getUTF8String(ordinal);
    int hash = text.hashCode();
    int slot = firstSlot(hash);
    for (int code = codeIn(slot); code >= 0; code = codeIn(slot)) {
      if (hashes[code] == hash && holds(code, text)) {
        return code;
      }
      slot = nextSlot(slot);
    }
    return overflown || !append(text, hash) ? 0 : claim(slot);
  }

  private boolean holds(int code, UTF8String text) {
    int from = start(code);
    return ends[code] - from == text.numBytes()
        && ByteArrayMethods.arrayEquals(
            text.getBaseObject(),
            text.getBaseOffset(),
            texts,
            Platform.BYTE_ARRAY_OFFSET + from,
            text.numBytes());
  }

  private int start(int code) {
    return code == 0 ? 0 : ends[code - 1];
  }

  /** False if it cannot be kept, now and for ever. */
  private boolean append(UTF8String text, int hash) {
    int code = size();
    int start = start(code);
    if (text.numBytes() > MOST_BYTES - start) {
      overflown = true;
      return false;
    }
    int end = start + text.numBytes();
    if (end > texts.length) {
      texts = Arrays.copyOf(texts, (int) Math.min(MOST_BYTES, Math.max(end, 2L * texts.length)));
    }
    if (code == ends.length) {
      ends = Arrays.copyOf(ends, 2 * code);
      hashes = Arrays.copyOf(hashes, 2 * code);
    }
    text.writeToMemory(texts, Platform.BYTE_ARRAY_OFFSET + start);
    ends[code] = end;
    hashes[code] = hash;
    return true;
  }

  @Override
  int hash(int code) {
    return hashes[code];
  }

  @Override
  int[] sorted() {
    return IntStream.range(0, size())
        .boxed()
        .sorted(this::compare)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private int compare(int left, int right) {
    return Arrays.compareUnsigned(texts, start(left), ends[left], texts, start(right), ends[right]);
  }

  @Override
  int bytes(int code) {
    return Integer.BYTES + ends[code] - start(code);
  }

  @Override
  void write(int code, ByteBuffer out) {
    int size = ends[code] - start(code);
    out.putInt(size).put(texts, start(code), size);
  }

  /** Long.MAX_VALUE if there was more text than an index can hold. */
  @Override
  long memory() {
    return overflown
        ? Long.MAX_VALUE
        : slotMemory()
            + texts.length
            + 2L * Integer.BYTES * ends.length
            + (long) SORTED_BYTES * size();
  }
}
