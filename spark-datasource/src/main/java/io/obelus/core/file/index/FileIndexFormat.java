package io.obelus.core.file.index;

import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The container of all file indexes of one data file (spec chapter 20): a directory in the head,
 * then the payloads. All numbers are big endian and signed.
 *
 * <pre>
 *   long  magic, 00054e4ed01a35ae
 *   int   version, always 1
 *   int   H, bytes of the head from the magic on
 *   int   number of columns, then for each of them
 *     utf   its name; of a key of a map: map[key]
 *     int   number of its indexes, then for each of them
 *       utf   kind of index
 *       int   start in the container, H or more; -1 = no row was written
 *       int   length; 0 if start is -1
 *   int   number of redundant bytes, which follow: none, or {@link Checksums}
 *   at H: the payloads
 *
 *   utf = unsigned short byte count, then Java's modified UTF-8: U+0000 is c0 80, and a character
 *         above U+FFFF is its two surrogates of three bytes each
 * </pre>
 *
 * <p>Nothing is said about the order of columns and kinds.
 */
final class FileIndexFormat {

  static final int V1 = 1;

  private static final long MAGIC = 0x00054e4ed01a35aeL;
  private static final int FIXED = 8 + 4 + 4; // magic, version, H
  private static final int SMALLEST_HEAD = FIXED + 4 + 4;

  /** Start of an index of a file without rows. */
  private static final int ABSENT = -1;

  private static final int SMALLEST_COLUMN = 2 + 4;
  private static final int SMALLEST_INDEX = 2 + 4 + 4;

  /** Holds the head of some 150 indexes of short names, if they have few bytes. */
  private static final int FIRST_READ = 4096;

  private FileIndexFormat() {}

  /**
   * One index to be written.
   *
   * @param column name, or {@code map[key]}
   * @param kind as {@link io.obelus.core.file.index.kind.IndexKind#name}
   * @param payload null if the file has no rows
   */
  record Entry(String column, String kind, byte[] payload) {

    private int length() {
      return payload == null ? 0 : payload.length;
    }
  }

  /**
   * One index that a container holds.
   *
   * @param start first byte of the payload in the container; -1 if there is none
   * @param length of the payload in bytes; 0 if there is none
   */
  record Slot(String column, String kind, int start, int length) {

    /** Whether there is no payload: no row was written to the data file. */
    boolean isAbsent() {
      return start == ABSENT;
    }
  }

  /**
   * What a container holds, of kinds known and unknown; a column has at most one of a kind.
   *
   * @param container its bytes, checked as they are read if they have checksums
   * @param headLength bytes that were read to know all this
   */
  record Directory(List<Slot> slots, Payload container, int headLength) {
    Directory {
      slots = List.copyOf(slots);
    }

    /** The indexes of a column in the order of the directory; none if it is not there. */
    List<Slot> of(String column) {
      return slots.stream().filter(slot -> slot.column.equals(column)).toList();
    }

    /** The payload of an index that is there. */
    Payload payload(Slot slot) {
      return new PayloadSlice(container, slot.start, slot.length);
    }
  }

  /**
   * The container of these indexes, with checksums. Columns stand in the order in which they are
   * first named.
   *
   * @throws IllegalArgumentException if a name has more than 65535 bytes or the container more than
   *     2^31-1
   */
  static byte[] write(List<Entry> entries) {
    return write(entries, true);
  }

  /** As above; {@code checksums} says whether there are some. */
  static byte[] write(List<Entry> entries, boolean checksums) {
    Map<String, List<Entry>> columns = new LinkedHashMap<>();
    for (Entry entry : entries) {
      columns.computeIfAbsent(entry.column, name -> new ArrayList<>()).add(entry);
    }
    ByteArrayOutputStream payloads = new ByteArrayOutputStream();
    for (List<Entry> column : columns.values()) {
      for (Entry entry : column) {
        if (entry.payload != null) {
          payloads.writeBytes(entry.payload);
        }
      }
    }
    ByteBuffer body = ByteBuffer.wrap(payloads.toByteArray());
    int redundant = checksums ? Checksums.length(body.remaining()) : 0;
    int headLength = head(columns, 0, redundant).length + redundant; // starts do not change it
    byte[] head = head(columns, headLength, redundant);
    ByteArrayOutputStream container = new ByteArrayOutputStream(headLength + body.remaining());
    container.writeBytes(head);
    if (checksums) {
      container.writeBytes(
          Checksums.of(ByteBuffer.wrap(head, 0, head.length - Integer.BYTES), body));
    }
    container.writeBytes(body.array());
    return container.toByteArray();
  }

  private static byte[] head(Map<String, List<Entry>> columns, int headLength, int redundant) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream head = new DataOutputStream(bytes)) {
      head.writeLong(MAGIC);
      head.writeInt(V1);
      head.writeInt(headLength);
      head.writeInt(columns.size());
      long start = headLength;
      for (Map.Entry<String, List<Entry>> column : columns.entrySet()) {
        writeName(head, column.getKey());
        head.writeInt(column.getValue().size());
        for (Entry entry : column.getValue()) {
          writeName(head, entry.kind);
          head.writeInt(entry.payload == null ? ABSENT : (int) start);
          head.writeInt(entry.length());
          start += entry.length();
          if (start > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                "the file indexes of one data file take more than 2^31-1 bytes with the %s index"
                        .formatted(entry.kind)
                    + " of column '%s'; index fewer columns".formatted(entry.column));
          }
        }
      }
      head.writeInt(redundant);
    } catch (IOException e) {
      throw new IllegalStateException(e); // not in memory
    }
    return bytes.toByteArray();
  }

  private static void writeName(DataOutputStream head, String name) throws IOException {
    try {
      head.writeUTF(name);
    } catch (UTFDataFormatException e) {
      throw new IllegalArgumentException(
          "'%s…' has more bytes than the 65535 that a name in a file index can have; do not index"
                  .formatted(name.substring(0, 40))
              + " this column",
          e);
    }
  }

  /**
   * Reads the directory. Of two indexes of one kind on one column the later counts.
   *
   * @param first bytes to read at once, in the hope that they hold the whole head
   * @throws CorruptFileException if it is not as drawn above, or a payload is not within the
   *     container
   * @throws UnknownVersionException if the version is not 1
   */
  static Directory read(Payload container, int first) throws IOException {
    int size = container.length();
    if (size < SMALLEST_HEAD) {
      throw new CorruptFileException(
          container.place(0), "size of a file index", "at least " + SMALLEST_HEAD, size);
    }
    ByteBuffer head = container.read(0, Math.min(size, Math.max(first, SMALLEST_HEAD)));
    if (head.getLong() != MAGIC) {
      throw new CorruptFileException(
          container.place(0),
          "magic of a file index",
          "%016x".formatted(MAGIC),
          "%016x".formatted(head.getLong(0)));
    }
    int version = head.getInt();
    if (version != V1) {
      throw new UnknownVersionException(container.place(8), "file index", version, V1);
    }
    int headLength = head.getInt();
    if (headLength < SMALLEST_HEAD || headLength > size) {
      throw new CorruptFileException(
          container.place(12),
          "length of the head",
          "%d to %d".formatted(SMALLEST_HEAD, size),
          headLength);
    }
    if (headLength > head.capacity()) {
      head = container.read(0, headLength);
    }
    return new Head(container, head.slice(0, headLength).position(FIXED)).directory();
  }

  /** The same, in one piece of 4 KiB if that holds it. */
  static Directory read(Payload container) throws IOException {
    return read(container, FIRST_READ);
  }

  /** Reads a head from the number of columns on. */
  private static final class Head {
    private final Payload container;
    private final ByteBuffer bytes; // all H bytes
    private final Map<String, Map<String, Slot>> columns = new LinkedHashMap<>();

    Head(Payload container, ByteBuffer bytes) {
      this.container = container;
      this.bytes = bytes;
    }

    Directory directory() {
      int count = count("number of columns", SMALLEST_COLUMN);
      for (int i = 0; i < count; i++) {
        readColumn(name("name of column " + i));
      }
      count("number of redundant bytes", 1);
      return new Directory(
          columns.values().stream().flatMap(kinds -> kinds.values().stream()).toList(),
          Checksums.checked(container, bytes, bytes.position()),
          bytes.capacity());
    }

    private void readColumn(String column) {
      Map<String, Slot> kinds = columns.computeIfAbsent(column, name -> new LinkedHashMap<>());
      int count = count("number of indexes of column '" + column + "'", SMALLEST_INDEX);
      for (int i = 0; i < count; i++) {
        String kind = name("kind of index %d of column '%s'".formatted(i, column));
        String what = "%s index of column '%s'".formatted(kind, column);
        int at = bytes.position();
        int start = number("start of the " + what);
        int length = number("length of the " + what);
        checkRange(at, what, start, length);
        kinds.put(kind, new Slot(column, kind, start, length));
      }
    }

    private void checkRange(int at, String what, int start, int length) {
      int size = container.length();
      boolean inside = start >= bytes.capacity() && length >= 0 && start <= size - length;
      if (!inside && !(start == ABSENT && length == 0)) {
        throw new CorruptFileException(
            container.place(at),
            "range of the " + what,
            "within bytes [%d, %d)".formatted(bytes.capacity(), size),
            "[%d, %d)".formatted(start, (long) start + length));
      }
    }

    /** A number of things of which each takes {@code smallest} bytes or more in what is left. */
    private int count(String what, int smallest) {
      int at = bytes.position();
      int count = number(what);
      int most = bytes.remaining() / smallest;
      if (count < 0 || count > most) {
        throw new CorruptFileException(container.place(at), what, "0 to " + most, count);
      }
      return count;
    }

    private int number(String what) {
      checkLeft(what, Integer.BYTES);
      return bytes.getInt();
    }

    private String name(String what) {
      checkLeft(what, Short.BYTES);
      int at = bytes.position();
      int length = Short.BYTES + Short.toUnsignedInt(bytes.getShort(at));
      checkLeft(what, length);
      byte[] image = new byte[length];
      bytes.get(image);
      try {
        return new DataInputStream(new ByteArrayInputStream(image)).readUTF();
      } catch (IOException e) { // UTFDataFormatException
        throw new CorruptFileException(
            container.place(at), what + " is not in modified UTF-8: " + e.getMessage(), e);
      }
    }

    private void checkLeft(String what, int needed) {
      if (bytes.remaining() < needed) {
        throw new CorruptFileException(
            container.place(bytes.position()),
            "%s takes %d bytes, but the head has %d left"
                .formatted(what, needed, bytes.remaining()));
      }
    }
  }
}
