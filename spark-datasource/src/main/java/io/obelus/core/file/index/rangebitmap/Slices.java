package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.KeyInput;
import io.obelus.core.file.index.key.RowBitmap;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
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

  /** The rows of the codes {@code [from, to)}, for the caller to keep. */
  RoaringBitmap between(int from, int to) throws IOException {
    RoaringBitmap rows = atLeast(from);
    if (to < keyCount) {
      rows.andNot(atLeast(to));
    }
    return rows;
  }

  /** The rows whose code is {@code code} or more: those above {@code code - 1}. */
  private RoaringBitmap atLeast(int code) throws IOException {
    if (code == 0) {
      return existing().clone();
    }
    existing();
    int below = code - 1;
    int lowestZero = Integer.numberOfTrailingZeros(~below);
    if (lowestZero >= slices.length) {
      return new RoaringBitmap();
    }
    load(lowestZero);
    // Above are the rows that first differ, from the top, where below has a zero bit.
    RoaringBitmap above = slices[lowestZero].clone();
    for (int bit = lowestZero + 1; bit < slices.length; bit++) {
      if ((below >>> bit & 1) != 0) {
        above.and(slices[bit]);
      } else {
        above.or(slices[bit]);
      }
    }
    above.and(existing);
    return above;
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
