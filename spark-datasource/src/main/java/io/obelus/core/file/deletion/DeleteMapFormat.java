package io.obelus.core.file.deletion;

import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RoaringFormat;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.SeekableInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Marks the rows of one bucket that are gone, in one file that needs no ranges in the index
 * manifest (index type DELETE_MAP, spec chapter 25).
 *
 * <pre>
 *   | int BE n | int BE L |                            L = bytes of the longest name; 0 if n is 0
 *   n times, strictly ascending by the unsigned bytes of the name:
 *   | name, L bytes             | long BE start | long BE size |
 *   | UTF-8, zeros at the end   |  of its bitmap, from byte 0 of the file, and its bytes
 *   n Roaring bitmaps in the same order, back to back, the first at 8 + n * (L + 16)
 * </pre>
 *
 * <p>There is no checksum: what a reader can compare is all there is, so all of it is compared.
 */
final class DeleteMapFormat {

  private static final int HEAD = 2 * Integer.BYTES;
  private static final int SLOT = 2 * Long.BYTES; // beside the name

  /** Bytes of a bitmap without a row; none is shorter. */
  private static final int SHORTEST_BITMAP = 8;

  private static final Comparator<byte[]> BY_BYTES = Arrays::compareUnsigned;

  private DeleteMapFormat() {}

  /** One line of the directory. */
  private record Slot(String name, long start, long size) {}

  /**
   * The bytes of a map.
   *
   * @param bitmaps none of them empty
   */
  static byte[] write(Map<String, Positions> bitmaps) {
    SortedMap<byte[], byte[]> images = new TreeMap<>(BY_BYTES);
    int longest = 0;
    long size = HEAD;
    for (Map.Entry<String, Positions> entry : bitmaps.entrySet()) {
      byte[] name = bytesOf(entry.getKey());
      byte[] image = RoaringFormat.write(entry.getValue().bitmap());
      images.put(name, image);
      longest = Math.max(longest, name.length);
      size += image.length;
    }
    size += images.size() * (longest + (long) SLOT);
    ByteBuffer file = ByteBuffer.allocate(DeletionFiles.checkedSize(size));
    file.putInt(images.size()).putInt(longest);
    long start = HEAD + images.size() * (longest + (long) SLOT);
    for (Map.Entry<byte[], byte[]> entry : images.entrySet()) {
      byte[] image = entry.getValue();
      file.put(Arrays.copyOf(entry.getKey(), longest)).putLong(start).putLong(image.length);
      start += image.length;
    }
    images.values().forEach(file::put);
    return file.array();
  }

  /** All bitmaps of a map. */
  static Map<String, Positions> readAll(SeekableInput in, DeletionFile file, Place start)
      throws IOException {
    Map<String, Positions> bitmaps = new LinkedHashMap<>();
    List<Slot> directory = readDirectory(in, start);
    for (Slot slot : directory) {
      bitmaps.put(slot.name, readBitmap(in, slot, Long.MAX_VALUE, start));
    }
    checkCount(file, directory, start);
    return bitmaps;
  }

  /**
   * The bitmap of one data file, or null: the directory is read, then just the bitmap, which must
   * fit a data file of {@code rowCount} rows.
   */
  static Positions readOne(
      SeekableInput in, DeletionFile file, String dataFile, long rowCount, Place start)
      throws IOException {
    List<Slot> directory = readDirectory(in, start);
    Positions found = null;
    for (Slot slot : directory) {
      if (slot.name.equals(dataFile)) {
        found = readBitmap(in, slot, rowCount, start);
      }
    }
    checkCount(file, directory, start);
    return found;
  }

  /** Checks 1 to 7 of the chapter, each over the whole directory before the next. */
  private static List<Slot> readDirectory(SeekableInput in, Place start) throws IOException {
    long fileSize = in.size();
    if (fileSize < HEAD) {
      throw new CorruptFileException(start, "file size", "at least " + HEAD, fileSize);
    }
    byte[] head = new byte[HEAD];
    in.seek(0);
    in.readFully(head, 0, HEAD);
    int count = ByteBuffer.wrap(head).getInt();
    int longest = ByteBuffer.wrap(head).getInt(Integer.BYTES);
    checkHead(count, longest, fileSize, start);
    long bodies = HEAD + count * (longest + (long) SLOT); // below 2^63: both are ints
    if (bodies > fileSize) {
      throw new CorruptFileException(start, "end of the directory", "at most " + fileSize, bodies);
    }
    if (fileSize > Integer.MAX_VALUE) {
      throw new CorruptFileException(start, "file size", "below 2^31", fileSize);
    }
    byte[] directory = new byte[(int) bodies - HEAD];
    in.readFully(directory, 0, directory.length);
    List<Slot> slots = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      slots.add(slot(directory, i, longest, start));
    }
    checkNames(directory, slots, longest, start);
    checkStarts(slots, longest, fileSize, start);
    return slots;
  }

  private static void checkHead(int count, int longest, long fileSize, Place start) {
    if (count < 0) {
      throw new CorruptFileException(start, "entry count", "at least 0", count);
    }
    Place lengthPlace = start.plus(Integer.BYTES);
    if (longest < 0 || count > 0 && longest == 0) {
      throw new CorruptFileException(lengthPlace, "name length", "above 0", longest);
    }
    if (count == 0 && longest != 0) {
      throw new CorruptFileException(lengthPlace, "name length of no entries", 0, longest);
    }
    if (count == 0 && fileSize != HEAD) {
      throw new CorruptFileException(start.plus(HEAD), "size of an empty map", HEAD, fileSize);
    }
  }

  private static Slot slot(byte[] directory, int i, int longest, Place start) {
    int at = i * (longest + SLOT);
    int end = at;
    while (end < at + longest && directory[end] != 0) {
      end++;
    }
    Place place = start.plus(HEAD + (long) at);
    for (int padding = end; padding < at + longest; padding++) {
      if (directory[padding] != 0) {
        throw new CorruptFileException(place, "name of entry %d holds a zero byte".formatted(i));
      }
    }
    if (end == at) {
      throw new CorruptFileException(place, "name of entry %d is empty".formatted(i));
    }
    ByteBuffer numbers = ByteBuffer.wrap(directory, at + longest, SLOT);
    String name = nameOf(ByteBuffer.wrap(directory, at, end - at), i, place);
    return new Slot(name, numbers.getLong(), numbers.getLong());
  }

  private static String nameOf(ByteBuffer bytes, int i, Place place) {
    try {
      String name = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      if (name.indexOf('/') >= 0) {
        throw new CorruptFileException(place, "name of entry %d holds a slash".formatted(i));
      }
      return name;
    } catch (CharacterCodingException e) {
      throw new CorruptFileException(place, "name of entry %d is not UTF-8".formatted(i), e);
    }
  }

  /** Padded names compare as the names do: zeros are below every byte of a name. */
  private static void checkNames(byte[] directory, List<Slot> slots, int longest, Place start) {
    boolean reached = slots.isEmpty();
    for (int i = 0; i < slots.size(); i++) {
      int at = i * (longest + SLOT);
      int before = at - longest - SLOT;
      if (i > 0
          && Arrays.compareUnsigned(
                  directory, before, before + longest, directory, at, at + longest)
              >= 0) {
        throw new CorruptFileException(
            start.plus(HEAD + (long) at),
            "name of entry " + i,
            "above " + slots.get(i - 1).name,
            slots.get(i).name);
      }
      reached |= directory[at + longest - 1] != 0;
    }
    if (!reached) {
      throw new CorruptFileException(
          start.plus(Integer.BYTES), "no name has the name length of %d bytes".formatted(longest));
    }
  }

  private static void checkStarts(List<Slot> slots, int longest, long fileSize, Place start) {
    long end = HEAD + slots.size() * (longest + (long) SLOT);
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      Place place = start.plus(HEAD + i * (longest + (long) SLOT) + longest);
      String what = what(slot);
      if (slot.start != end) {
        throw new CorruptFileException(place, what + ": start", end, slot.start);
      }
      if (slot.size < SHORTEST_BITMAP || slot.size > fileSize - end) {
        throw new CorruptFileException(
            place.plus(Long.BYTES),
            what + ": size",
            "in [%d, %d]".formatted(SHORTEST_BITMAP, fileSize - end),
            slot.size);
      }
      end += slot.size;
    }
    if (end != fileSize) {
      throw new CorruptFileException(start.plus(end), "end of the last bitmap", fileSize, end);
    }
  }

  private static Positions readBitmap(SeekableInput in, Slot slot, long rowCount, Place start)
      throws IOException {
    byte[] image = new byte[(int) slot.size];
    in.seek(slot.start);
    in.readFully(image, 0, image.length);
    ByteBuffer bytes = ByteBuffer.wrap(image);
    Place place = start.plus(slot.start);
    RoaringBitmap bitmap = RoaringFormat.read(bytes, place, what(slot));
    if (bytes.hasRemaining()) {
      throw new CorruptFileException(
          place.plus(bytes.position()),
          "%s: %d bytes follow its end".formatted(what(slot), bytes.remaining()));
    }
    DeletionFiles.checkLargest(
        DeletionFiles.largest(bitmap), Math.min(rowCount, Positions.LIMIT), place, what(slot));
    return new Positions(bitmap);
  }

  private static void checkCount(DeletionFile file, List<Slot> directory, Place start) {
    if (file.bitmaps() != directory.size()) {
      throw new CorruptFileException(start, "entry count", file.bitmaps(), directory.size());
    }
  }

  private static String what(Slot slot) {
    return "bitmap of " + slot.name;
  }

  private static byte[] bytesOf(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    boolean unspeakable = name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf(0) >= 0;
    if (unspeakable || !new String(bytes, StandardCharsets.UTF_8).equals(name)) {
      throw new IllegalArgumentException(
          "A delete map cannot name the data file '%s'.".formatted(name));
    }
    return bytes;
  }
}
