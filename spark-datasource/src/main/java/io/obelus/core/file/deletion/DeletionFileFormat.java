package io.obelus.core.file.deletion;

import io.obelus.core.file.deletion.DeletionFile.Range;
import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RoaringFormat;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.SeekableInput;
import io.obelus.core.io.UnknownVersionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.roaringbitmap.RoaringBitmap;

/**
 * Marks the rows of one bucket that are gone (index type DELETION_VECTORS, spec chapter 09).
 *
 * <pre>
 *   byte     version, always 1
 *   then one box per data file, back to back, in the order of the ranges in the index manifest:
 *
 *   | size    | magic   | bitmap         | crc     |
 *   | int BE  | 4 bytes | size - 4 bytes | int BE  |   crc = CRC-32 of magic and bitmap
 *   ^ offset of the range
 *
 *   magic 5e43f2d0: one Roaring bitmap, little endian
 *   magic d1d33964: | long LE n | then n times: | int LE key | Roaring bitmap |
 *                   key = high 32 bits of the positions, ascending
 * </pre>
 *
 * <p>The length of a range is "size" for a 32-bit box (the first magic) but the whole box, size +
 * 8, for a 64-bit one.
 */
final class DeletionFileFormat {

  static final int VERSION = 1;
  private static final int MAGIC_32 = 0x5e43f2d0;
  private static final int MAGIC_64 = 0xd1d33964;

  /** Version byte: where the first box starts. */
  static final int HEAD = 1;

  private static final int SIZE_BYTES = 4;
  private static final int MAGIC_BYTES = 4;
  private static final int CRC_BYTES = 4;

  private DeletionFileFormat() {}

  /** The box of {@code positions}, in the 64-bit form if {@code wide}. */
  static byte[] box(Positions positions, boolean wide) {
    byte[] image = RoaringFormat.write(positions.bitmap());
    int body = MAGIC_BYTES + (wide ? Long.BYTES + Integer.BYTES : 0) + image.length;
    ByteBuffer box = ByteBuffer.allocate(SIZE_BYTES + body + CRC_BYTES);
    box.putInt(body).putInt(wide ? MAGIC_64 : MAGIC_32);
    if (wide) {
      box.order(ByteOrder.LITTLE_ENDIAN).putLong(1).putInt(0).order(ByteOrder.BIG_ENDIAN);
    }
    box.put(image).putInt(crc(box.array(), SIZE_BYTES, body));
    return box.array();
  }

  /** The range of a box that starts at {@code offset}. */
  static Range range(String dataFile, int offset, byte[] box, boolean wide, Positions positions) {
    int length = wide ? box.length : box.length - SIZE_BYTES - CRC_BYTES;
    return new Range(dataFile, offset, length, positions.cardinality());
  }

  /** All bitmaps; the ranges must cover the file, so that none is missing. */
  static Map<String, Positions> readAll(SeekableInput in, DeletionFile file, Place start)
      throws IOException {
    checkVersion(in, start);
    if (file.bitmaps() != file.ranges().size()) {
      throw new CorruptFileException(
          start, "number of bitmaps", file.bitmaps(), file.ranges().size());
    }
    Map<String, Positions> bitmaps = new LinkedHashMap<>();
    long end = HEAD;
    for (Range range : file.ranges()) {
      if (range.offset() != end) {
        throw new CorruptFileException(
            start.plus(end), "offset of the " + nameOf(range), end, range.offset());
      }
      if (bitmaps.put(range.dataFile(), readBox(in, range, Long.MAX_VALUE, start)) != null) {
        throw new CorruptFileException(start.plus(end), "second " + nameOf(range));
      }
      end = in.position();
    }
    if (end != in.size()) {
      throw new CorruptFileException(start.plus(end), "end of the last bitmap", in.size(), end);
    }
    return bitmaps;
  }

  /** One bitmap, which must fit a data file of {@code rowCount} rows. */
  static Positions readOne(SeekableInput in, Range range, long rowCount, Place start)
      throws IOException {
    checkVersion(in, start);
    return readBox(in, range, rowCount, start);
  }

  private static void checkVersion(SeekableInput in, Place start) throws IOException {
    if (in.size() < HEAD) {
      throw new CorruptFileException(start, "file without a version: it is empty");
    }
    byte[] version = new byte[HEAD];
    in.seek(0);
    in.readFully(version, 0, HEAD);
    if (version[0] != VERSION) {
      throw new UnknownVersionException(start, "deletion file", version[0], VERSION);
    }
  }

  /** Reads a box and leaves {@code in} after it. */
  private static Positions readBox(SeekableInput in, Range range, long rowCount, Place start)
      throws IOException {
    Place place = start.plus(range.offset());
    String what = nameOf(range);
    long left = in.size() - range.offset();
    if (range.offset() < HEAD || left < SIZE_BYTES + MAGIC_BYTES) {
      throw new CorruptFileException(
          place, "%s cannot start here in a file of %d bytes".formatted(what, in.size()));
    }
    byte[] head = new byte[SIZE_BYTES + MAGIC_BYTES];
    in.seek(range.offset());
    in.readFully(head, 0, head.length);
    int size = ByteBuffer.wrap(head).getInt();
    int magic = ByteBuffer.wrap(head).getInt(SIZE_BYTES);
    if (magic != MAGIC_32 && magic != MAGIC_64) {
      throw new CorruptFileException(
          place.plus(SIZE_BYTES),
          what + ": magic",
          "%08x or %08x".formatted(MAGIC_32, MAGIC_64),
          "%08x".formatted(magic));
    }
    boolean wide = magic == MAGIC_64;
    int expected = wide ? range.length() - SIZE_BYTES - CRC_BYTES : range.length();
    if (size != expected) {
      throw new CorruptFileException(place, what + ": size", expected, size);
    }
    if (size < MAGIC_BYTES || size > left - SIZE_BYTES - CRC_BYTES) {
      throw new CorruptFileException(
          place, "%s: %d bytes do not fit in the file".formatted(what, size));
    }
    byte[] body = new byte[size + CRC_BYTES];
    System.arraycopy(head, SIZE_BYTES, body, 0, MAGIC_BYTES);
    in.readFully(body, MAGIC_BYTES, body.length - MAGIC_BYTES);
    int crc = ByteBuffer.wrap(body).getInt(size);
    if (crc != crc(body, 0, size)) {
      throw new CorruptFileException(
          place.plus(SIZE_BYTES + size),
          what + ": CRC-32",
          "%08x".formatted(crc(body, 0, size)),
          "%08x".formatted(crc));
    }
    Place bodyPlace = place.plus(SIZE_BYTES);
    ByteBuffer bytes = ByteBuffer.wrap(body, MAGIC_BYTES, size - MAGIC_BYTES);
    Content content = wide ? readParts(bytes, bodyPlace, what) : readPart(bytes, bodyPlace, what);
    if (bytes.hasRemaining()) {
      throw new CorruptFileException(
          bodyPlace.plus(bytes.position()),
          "%s: %d bytes follow its end".formatted(what, bytes.remaining()));
    }
    if (range.cardinality() != null && range.cardinality() != content.cardinality) {
      throw new CorruptFileException(
          place, what + ": number of deleted rows", range.cardinality(), content.cardinality);
    }
    DeletionFiles.checkLargest(content.largest, rowCount, place, what);
    if (wide && content.largest >= Positions.LIMIT) {
      throw new IllegalArgumentException(
          "%s: %s marks row %d. Obelus reads data files of at most %d rows; rewrite the data file"
                  .formatted(place, what, content.largest, Positions.LIMIT)
              + " into smaller ones with the engine that wrote it.");
    }
    DeletionFiles.checkLargest(content.largest, Positions.LIMIT, place, what);
    return new Positions(content.first);
  }

  /**
   * What a box says.
   *
   * @param first the positions below 2^32
   * @param largest of all positions; -1 if there is none
   */
  private record Content(RoaringBitmap first, long cardinality, long largest) {}

  /** Reads the bitmap of a 32-bit box. {@code place} is that of the buffer's byte 0. */
  private static Content readPart(ByteBuffer bytes, Place place, String what) {
    RoaringBitmap bitmap = RoaringFormat.read(bytes, place.plus(bytes.position()), what);
    return new Content(bitmap, bitmap.getLongCardinality(), DeletionFiles.largest(bitmap));
  }

  /** Reads the bitmaps of a 64-bit box; some may be empty. */
  private static Content readParts(ByteBuffer bytes, Place place, String what) {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    checkLeft(bytes, Long.BYTES, place, what);
    long count = bytes.getLong();
    if (count < 0) {
      throw new CorruptFileException(
          place.plus(bytes.position() - Long.BYTES), what + ": parts", "at least 0", count);
    }
    Content all = new Content(new RoaringBitmap(), 0, -1);
    int previous = -1;
    for (long i = 0; i < count; i++) { // a wrong count ends at the end of the box
      checkLeft(bytes, Integer.BYTES, place, what);
      int key = bytes.getInt();
      if (key <= previous) {
        throw new CorruptFileException(
            place.plus(bytes.position() - Integer.BYTES), what + ": key", "above " + previous, key);
      }
      Content part = readPart(bytes, place, what);
      long base = (long) key << 32;
      all =
          new Content(
              key == 0 ? part.first : all.first,
              all.cardinality + part.cardinality,
              part.largest < 0 ? all.largest : base + part.largest);
      previous = key;
    }
    return all;
  }

  private static void checkLeft(ByteBuffer bytes, int needed, Place place, String what) {
    if (bytes.remaining() < needed) {
      throw new CorruptFileException(
          place.plus(bytes.position()),
          "%s: %d bytes should follow, but %d bytes are left"
              .formatted(what, needed, bytes.remaining()));
    }
  }

  private static String nameOf(Range range) {
    return "bitmap of " + range.dataFile();
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
