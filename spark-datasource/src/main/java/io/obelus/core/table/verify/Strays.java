package io.obelus.core.table.verify;

/** Counts rows that are wrong in the same way, and remembers the first. Not thread-safe. */
final class Strays {

  private long first = -1;
  private long count;

  /** Whether it is the first one. */
  boolean add(long position) {
    if (count++ == 0) {
      first = position;
      return true;
    }
    return false;
  }

  long first() {
    return first;
  }

  long count() {
    return count;
  }
}
