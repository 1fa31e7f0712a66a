package io.obelus.core.file.index.key;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Keys that are numbers. */
final class NumberTable extends KeyTable {

  private final NumberKeys coding;
  private long[] keys = new long[16]; // by code

  NumberTable(NumberKeys coding) {
    this.coding = coding;
  }

  @Override
  int codeOf(SpecializedGetters values, int ordinal) {
    return codeOf(coding.key(values, ordinal));
  }

  private int codeOf(long key) {
    int slot = firstSlot(Long.hashCode(key));
    for (int code = codeIn(slot); code >= 0; code = codeIn(slot)) {
      if (keys[code] == key) {
        return code;
      }
      slot = nextSlot(slot);
    }
    if (size() == keys.length) {
      keys = Arrays.copyOf(keys, 2 * keys.length);
    }
    keys[size()] = key;
    return claim(slot);
  }

  @Override
  int hash(int code) {
    return Long.hashCode(keys[code]);
  }

  @Override
  int[] sorted() {
    long[] ascending = Arrays.copyOf(keys, size());
    Arrays.sort(ascending);
    int[] codes = new int[ascending.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = codeOf(ascending[i]); // no boxes
    }
    return codes;
  }

  @Override
  int bytes(int code) {
    return coding.fixedSize();
  }

  @Override
  void write(int code, ByteBuffer out) {
    coding.write(keys[code], out);
  }

  @Override
  long memory() {
    return slotMemory() + (long) Long.BYTES * (keys.length + size()); // with the sorted copy
  }
}
