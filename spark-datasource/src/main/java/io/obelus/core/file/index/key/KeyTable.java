package io.obelus.core.file.index.key;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/**
 * Different keys, numbered from 0 in the order in which they came: a hash table that is open, with
 * a place for a code in each slot. Looking up a key that is there allocates nothing.
 */
abstract sealed class KeyTable permits NumberTable, TextTable {

  private static final int FIRST_SLOTS = 64;
  private static final int FREE = -1;

  private int[] slots = freeSlots(FIRST_SLOTS); // codes; at least half of them are free
  private int size;

  private static int[] freeSlots(int count) {
    int[] slots = new int[count];
    Arrays.fill(slots, FREE);
    return slots;
  }

  /** The code of a value that is not null; it is {@link #size} from before if the key is new. */
  abstract int codeOf(SpecializedGetters values, int ordinal);

  /** Codes by ascending key. */
  abstract int[] sorted();

  /** Bytes that {@link #write} writes. */
  abstract int bytes(int code);

  abstract void write(int code, ByteBuffer out);

  /** Bytes of memory held. */
  abstract long memory();

  final int size() {
    return size;
  }

  /** Memory of the slots. */
  final long slotMemory() {
    return (long) Integer.BYTES * slots.length;
  }

  /** Where to look first for a key with this hash; then in the slots that follow. */
  final int firstSlot(int hash) {
    return mix(hash) & (slots.length - 1);
  }

  final int nextSlot(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  /** The code in a slot, below 0 if there is none. */
  final int codeIn(int slot) {
    return slots[slot];
  }

  /** Gives the next code to a key that was looked for up to this free slot. */
  final int claim(int slot) {
    slots[slot] = size++;
    if (2 * size > slots.length) {
      grow();
    }
    return size - 1;
  }

  abstract int hash(int code);

  private void grow() {
    slots = freeSlots(2 * slots.length);
    for (int code = 0; code < size; code++) {
      int slot = firstSlot(hash(code));
      while (slots[slot] != FREE) {
        slot = nextSlot(slot);
      }
      slots[slot] = code;
    }
  }

  private static int mix(int hash) {
    int mixed = hash * 0x9E3779B9; // golden ratio: neighbours part
    return mixed ^ (mixed >>> 16);
  }
}
