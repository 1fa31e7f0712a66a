package io.obelus.core.file.index.bsi;

import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.file.position.RoaringFormat;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.UnknownVersionException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.roaringbitmap.RoaringBitmap;

/**
 * The bytes of a bit-sliced index (spec chapter 22), big endian but for the bitmaps.
 *
 * <pre>
 *   byte  version, always 1
 *   int   row count, nulls included
 *   byte  1 if a half with the numbers of 0 and more follows, else 0
 *   byte  1 if a half with the absolute values of the numbers below 0 follows, else 0
 *
 *   half:
 *   byte    version, always 1
 *   long    min; what we write has 0, whatever the numbers
 *   long    max
 *   bitmap  rows that have a number in this half
 *   int     number of slices: bits of max - min
 *   bitmap  one per slice, lowest first: rows whose number - min has that bit set
 *
 *   bitmap = as {@link RoaringFormat} draws it
 * </pre>
 *
 * <p>Nothing says how long a part is. A row in neither half is null.
 */
final class BsiFormat {

  static final int V1 = 1;

  private static final int HALF_HEAD = 1 + 8 + 8; // version, min, max

  private BsiFormat() {}

  /**
   * What an index says.
   *
   * @param nonNegative numbers of 0 and more
   * @param negative absolute values of the numbers below 0; no row is in both
   */
  record Content(long rowCount, Slices nonNegative, Slices negative) {}

  /** The index; the smallest number of both halves is written as 0, as it must be. */
  static byte[] write(Content content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(1 + 4).put((byte) V1).putInt((int) content.rowCount).array());
    writeHalf(out, content.nonNegative);
    writeHalf(out, content.negative);
    return out.toByteArray();
  }

  private static void writeHalf(ByteArrayOutputStream out, Slices half) {
    if (half.existence().isEmpty()) {
      out.write(0);
      return;
    }
    out.write(1);
    out.writeBytes(
        ByteBuffer.allocate(HALF_HEAD)
            .put((byte) V1)
            .putLong(half.min())
            .putLong(half.largest(half.existence()))
            .array());
    out.writeBytes(RoaringFormat.write(half.existence()));
    out.writeBytes(ByteBuffer.allocate(4).putInt(half.slices().length).array());
    for (RoaringBitmap slice : half.slices()) {
      out.writeBytes(RoaringFormat.write(slice));
    }
  }

  /**
   * Reads a whole index.
   *
   * @throws CorruptFileException if it is not as drawn above, if a row is beyond {@code rowCount}
   *     or in both halves, or if a bit is set of a row without a number
   * @throws UnknownVersionException if a version is not 1
   */
  static Content read(Payload payload, long rowCount) throws IOException {
    return new Input(payload.readAll(), payload.place(0)).content(rowCount);
  }

  /** Reads an index from its first byte on. */
  private static final class Input {
    private final ByteBuffer bytes;
    private final Place start;

    Input(ByteBuffer bytes, Place start) {
      this.bytes = bytes;
      this.start = start;
    }

    Content content(long rowCount) {
      version("bsi index");
      int rows = take(4, "row count").getInt();
      if (rows != rowCount) {
        throw new CorruptFileException(
            start.plus(bytes.position() - 4), "row count of the bsi index", rowCount, rows);
      }
      Slices nonNegative = half("non-negative half", rowCount);
      Slices negative = half("negative half", rowCount);
      if (RoaringBitmap.intersects(nonNegative.existence(), negative.existence())) {
        throw new CorruptFileException(start, "bsi index has a row in both halves");
      }
      if (bytes.hasRemaining()) {
        throw new CorruptFileException(
            place(), "%d bytes follow the end of the bsi index".formatted(bytes.remaining()));
      }
      return new Content(rowCount, nonNegative, negative);
    }

    private Slices half(String what, long rowCount) {
      int flag = take(1, "flag of the " + what).get();
      if (flag == 0) {
        return Slices.NONE;
      } else if (flag != 1) {
        throw new CorruptFileException(
            start.plus(bytes.position() - 1), "flag of the " + what, "0 or 1", flag);
      }
      version(what + " of a bsi index");
      Place place = place();
      long min = take(8, what + ": min").getLong();
      long max = take(8, what + ": max").getLong();
      if (min < 0 || max < min) {
        throw new CorruptFileException(
            place, what + ": min and max", "0 or more, and in order", min + " and " + max);
      }
      RoaringBitmap existence = bitmap(what + ": bitmap of all rows");
      long largest = existence.isEmpty() ? -1 : Integer.toUnsignedLong(existence.last());
      if (largest >= rowCount) {
        throw new CorruptFileException(place, what + ": largest row", "below " + rowCount, largest);
      }
      return new Slices(min, existence, slices(what, existence, Slices.count(max - min)));
    }

    private RoaringBitmap[] slices(String what, RoaringBitmap existence, int expected) {
      Place place = place();
      int count = take(4, what + ": number of slices").getInt();
      if (count != expected) { // as many as min and max need, so at most 63
        throw new CorruptFileException(place, what + ": number of slices", expected, count);
      }
      RoaringBitmap[] slices = new RoaringBitmap[count];
      for (int i = 0; i < count; i++) {
        place = place();
        slices[i] = bitmap(what + ": slice " + i);
        int strangers = RoaringBitmap.andNotCardinality(slices[i], existence);
        if (strangers != 0) {
          throw new CorruptFileException(
              place, "%s: slice %d has %d rows without a number".formatted(what, i, strangers));
        }
      }
      return slices;
    }

    private RoaringBitmap bitmap(String what) {
      return RoaringFormat.read(bytes, place(), what);
    }

    private void version(String what) {
      int version = take(1, "version").get();
      if (version != V1) {
        throw new UnknownVersionException(start.plus(bytes.position() - 1), what, version, V1);
      }
    }

    private ByteBuffer take(int length, String what) {
      if (bytes.remaining() < length) {
        throw new CorruptFileException(
            place(),
            "%s of %d bytes should follow in the bsi index, but %d bytes are left"
                .formatted(what, length, bytes.remaining()));
      }
      return bytes;
    }

    private Place place() {
      return start.plus(bytes.position());
    }
  }
}
