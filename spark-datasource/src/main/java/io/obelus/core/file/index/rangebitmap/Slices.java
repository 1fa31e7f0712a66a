package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.KeyInput;
import io.obelus.core.file.index.key.RowBitmap;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/**
 * Rows by the bits of their codes, read as they are asked for and kept. Bitmaps that are kept are
 * never changed.
 */
final class Slices {

  private final Payload payload;
  private final int from;
  private final int keyCount;
  private final long rowCount;

  private RoaringBitmap existing; // null until it is read, and the table of slices with it
  private int[] starts; // of the slices, in the payload; the end of the last one
  private RoaringBitmap[] slices;

  /** The slices from {@code from} to the end of the payload. */
  Slices(Payload payload, int from, int keyCount, long rowCount) {
    this.payload = payload;
    this.from = from;
    this.keyCount = keyCount;
    this.rowCount = rowCount;
  }

  long rowCount() {
    return rowCount;
  }

  /** The rows that are not null. */
  RoaringBitmap existing() throws IOException {
    if (existing == null) {
      open();
    }
    return existing;
  }

  /** The codes {@code [from, to)}, at least one. */
  record Codes(int from, int to) {}

  /**
   * The rows that have one of the codes, for the caller to keep.
   *
   * @param wanted at least one, all below the number of keys
   */
  RoaringBitmap rows(List<Codes> wanted) throws IOException {
    RoaringBitmap found = new RoaringBitmap();
    RoaringBitmap all = existing();
    load(lowestBit(wanted));
    collect(wanted, 0, slices.length, all, found);
    return found;
  }

  /** The lowest bit by which wanted and unwanted codes differ. */
  private int lowestBit(List<Codes> wanted) {
    int lowest = slices.length;
    for (Codes codes : wanted) {
      lowest = Math.min(lowest, Integer.numberOfTrailingZeros(codes.from));
      if (codes.to < keyCount) {
        lowest = Math.min(lowest, Integer.numberOfTrailingZeros(codes.to));
      }
    }
    return lowest;
  }

  /**
   * Halves the codes by their bits, from the highest on, until a half is wanted as a whole or not
   * at all: what is left to look at is soon small.
   *
   * @param wanted those that intersect the codes looked at, at least one
   * @param from the codes looked at begin here and share their bits above the lowest {@code bits}
   * @param rows that have one of these codes
   */
  private void collect(
      List<Codes> wanted, long from, int bits, RoaringBitmap rows, RoaringBitmap found) {
    long to = Math.min(keyCount, from + (1L << bits));
    if (wanted.get(0).from <= from && to <= wanted.get(0).to) {
      found.or(rows);
      return;
    }
    RoaringBitmap slice = slices[bits - 1];
    long middle = from + (1L << (bits - 1));
    List<Codes> low = intersecting(wanted, from, middle);
    if (!low.isEmpty()) {
      collect(low, from, bits - 1, RoaringBitmap.andNot(rows, slice), found);
    }
    List<Codes> high = intersecting(wanted, middle, to);
    if (!high.isEmpty()) {
      collect(high, middle, bits - 1, RoaringBitmap.and(rows, slice), found);
    }
  }

  private static List<Codes> intersecting(List<Codes> wanted, long from, long to) {
    return wanted.stream().filter(codes -> codes.from < to && from < codes.to).toList();
  }

  private void open() throws IOException {
    KeyInput in = KeyInput.of(payload, from, payload.length());
    Place place = in.place();
    int head = in.intOf("size of the slices' head");
    RangeBitmapReader.checkVersion(in, "slices of a range bitmap");
    Place countPlace = in.place();
    int count = in.byteOf("number of slices");
    if (count != RangeBitmapFormat.slices(keyCount)) {
      throw new CorruptFileException(
          countPlace, "number of slices", RangeBitmapFormat.slices(keyCount), count);
    }
    int table = RangeBitmapFormat.SLICE_ENTRY * count;
    if (head != RangeBitmapFormat.SLICES_HEAD + table) {
      throw new CorruptFileException(
          place, "size of the slices' head", RangeBitmapFormat.SLICES_HEAD + table, head);
    }
    int existenceBytes = in.countOf("size of the existence bitmap", 1);
    in.expect(table, "size of the table of slices");
    int existenceFrom = in.position() + table;
    if (existenceBytes > payload.length() - existenceFrom) {
      throw new CorruptFileException(
          countPlace,
          "size of the existence bitmap",
          "at most " + (payload.length() - existenceFrom),
          existenceBytes);
    }
    starts = readTable(in, count, existenceFrom + existenceBytes);
    slices = new RoaringBitmap[count];
    existing =
        bitmap(payload.read(existenceFrom, existenceBytes), existenceFrom, "existence bitmap");
  }

  /** Slices stand one after another up to the end. */
  private int[] readTable(KeyInput in, int count, int first) throws IOException {
    int[] found = new int[count + 1];
    found[0] = first;
    for (int i = 0; i < count; i++) {
      in.expect(found[i] - first, "start of slice " + i);
      Place place = in.place();
      int size = in.intOf("size of a slice");
      int room = payload.length() - found[i];
      if (size < 0 || size > room) {
        throw new CorruptFileException(place, "size of slice " + i, "0 to " + room, size);
      }
      found[i + 1] = found[i] + size;
    }
    return found;
  }

  /** Reads the slices from {@code bit} on that were not read yet, at once. */
  private void load(int bit) throws IOException {
    int end = bit;
    while (end < slices.length && slices[end] == null) {
      end++;
    }
    if (end > bit) {
      ByteBuffer bytes = payload.read(starts[bit], starts[end] - starts[bit]);
      for (int i = bit; i < end; i++) {
        ByteBuffer image = bytes.slice(starts[i] - starts[bit], starts[i + 1] - starts[i]);
        slices[i] = bitmap(image, starts[i], "slice " + i);
      }
    }
  }

  private RoaringBitmap bitmap(ByteBuffer image, int at, String what) {
    return RowBitmap.readAll(image, payload.place(at), what, rowCount);
  }
}
