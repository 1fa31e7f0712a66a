package io.obelus.core.file.index.bloom;

import java.util.function.LongConsumer;

/** A set of 64-bit hashes, in one array that is at most three quarters full. */
final class DistinctHashes {

  /** As many as it takes: 2^24. The array then has 256 MiB. */
  static final int MOST = 1 << 24;

  private static final int SMALLEST = 64;

  private long[] slots = new long[SMALLEST]; // a power of two of them; 0 = free
  private boolean hasZero;
  private int size;

  /** Adds a hash; false if it is not in the set because the set has {@link #MOST} others. */
  boolean add(long hash) {
    if (hash == 0) {
      size += hasZero ? 0 : 1;
      hasZero = true;
      return true;
    }
    int slot = slotOf(hash);
    if (slots[slot] == hash) {
      return true;
    } else if (size >= MOST) {
      return false;
    }
    slots[slot] = hash;
    if (++size > slots.length / 4 * 3) {
      grow();
    }
    return true;
  }

  /** Where the hash is or, if it is not there, belongs. */
  private int slotOf(long hash) {
    int slot = (int) hash & slots.length - 1; // hashes are mixed well enough
    while (slots[slot] != 0 && slots[slot] != hash) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[2 * old.length];
    for (long hash : old) {
      if (hash != 0) {
        slots[slotOf(hash)] = hash;
      }
    }
  }

  int size() {
    return size;
  }

  /** Bytes held. */
  long memory() {
    return (long) slots.length * Long.BYTES;
  }

  void forEach(LongConsumer action) {
    if (hasZero) {
      action.accept(0);
    }
    for (long hash : slots) {
      if (hash != 0) {
        action.accept(hash);
      }
    }
  }
}
