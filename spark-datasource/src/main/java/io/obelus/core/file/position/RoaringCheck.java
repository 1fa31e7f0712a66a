package io.obelus.core.file.position;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.nio.ByteBuffer;

/**
 * Walks over one bitmap drawn as in {@link RoaringFormat}, allocates nothing, and refuses what
 * Roaring would stumble over or, worse, would read as other numbers.
 */
final class RoaringCheck {

  private static final int WITH_RUNS = 12347;
  private static final int WITHOUT_RUNS = 12346;
  private static final int MOST_CONTAINERS = 1 << 16;
  private static final int LONGEST_ARRAY = 4096;
  private static final int BITSET_BYTES = 8192;

  /** With runs, fewer containers than this are found without offsets. */
  private static final int OFFSETS_FROM = 4;

  private final ByteBuffer bytes; // little endian; byte 0 is the bitmap's first
  private final Place place; // of byte 0
  private final String what;
  private int at; // the next byte to look at

  RoaringCheck(ByteBuffer bytes, Place place, String what) {
    this.bytes = bytes;
    this.place = place;
    this.what = what;
  }

  /** Checks the bitmap and returns its length in bytes. */
  int length() {
    int cookie = bytes.getInt(take(4, "cookie"));
    boolean runs = (cookie & 0xFFFF) == WITH_RUNS;
    if (!runs && cookie != WITHOUT_RUNS) {
      throw wrong(0, "cookie", WITHOUT_RUNS + " or " + WITH_RUNS, cookie);
    }
    int containers = runs ? (cookie >>> 16) + 1 : bytes.getInt(take(4, "container count"));
    if (containers < 0 || containers > MOST_CONTAINERS) {
      throw wrong(4, "container count", "at most " + MOST_CONTAINERS, containers);
    }
    int flags = runs ? take((containers + 7) / 8, "run flags") : -1;
    int heads = take(4 * containers, "container heads");
    int offsets = runs && containers < OFFSETS_FROM ? -1 : take(4 * containers, "offsets");
    for (int i = 0; i < containers; i++) {
      int head = heads + 4 * i;
      if (i > 0 && unsigned(head) <= unsigned(head - 4)) {
        throw wrong(head, "container key", "above " + unsigned(head - 4), unsigned(head));
      }
      if (offsets >= 0 && bytes.getInt(offsets + 4 * i) != at) {
        throw wrong(offsets + 4 * i, "container offset", at, bytes.getInt(offsets + 4 * i));
      }
      boolean isRun = runs && (bytes.get(flags + i / 8) & 1 << i % 8) != 0;
      checkContainer(unsigned(head + 2) + 1, isRun);
    }
    return at;
  }

  private void checkContainer(int cardinality, boolean isRun) {
    int start = at;
    int found;
    if (isRun) {
      found = cardinalityOfRuns();
    } else if (cardinality <= LONGEST_ARRAY) {
      found = cardinalityOfArray(cardinality);
    } else {
      found = cardinalityOfBitset();
    }
    if (found != cardinality) {
      throw wrong(start, "cardinality of the container", cardinality, found);
    }
  }

  private int cardinalityOfRuns() {
    int count = unsigned(take(2, "run count"));
    int start = take(4 * count, "runs");
    int cardinality = 0;
    int next = 0; // smallest value that the run may start with
    for (int run = start; run < at; run += 4) {
      int first = unsigned(run);
      int last = first + unsigned(run + 2);
      if (first < next) {
        throw wrong(run, "start of the run", "at least " + next, first);
      }
      if (last > 0xFFFF) {
        throw wrong(run, "end of the run", "at most " + 0xFFFF, last);
      }
      cardinality += last - first + 1;
      next = last + 1;
    }
    return cardinality;
  }

  private int cardinalityOfArray(int cardinality) {
    int start = take(2 * cardinality, "values");
    for (int value = start + 2; value < at; value += 2) {
      if (unsigned(value) <= unsigned(value - 2)) {
        throw wrong(value, "value", "above " + unsigned(value - 2), unsigned(value));
      }
    }
    return cardinality;
  }

  private int cardinalityOfBitset() {
    int start = take(BITSET_BYTES, "bit set");
    int cardinality = 0;
    for (int word = start; word < at; word += 8) {
      cardinality += Long.bitCount(bytes.getLong(word));
    }
    return cardinality;
  }

  private int unsigned(int index) {
    return Short.toUnsignedInt(bytes.getShort(index));
  }

  /** Steps over {@code length} bytes, which must be there; returns where they start. */
  private int take(int length, String part) {
    int left = bytes.limit() - at;
    if (length > left) {
      throw new CorruptFileException(
          place.plus(at),
          "%s: %s of %d bytes should follow, but %d bytes are left"
              .formatted(what, part, length, left));
    }
    int start = at;
    at += length;
    return start;
  }

  private CorruptFileException wrong(int index, String part, Object expected, Object found) {
    return new CorruptFileException(place.plus(index), what + ": " + part, expected, found);
  }
}
