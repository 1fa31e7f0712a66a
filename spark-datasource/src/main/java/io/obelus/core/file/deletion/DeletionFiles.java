package io.obelus.core.file.deletion;

import io.obelus.core.file.deletion.DeletionFile.Range;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.SeekableInput;
import io.obelus.core.io.Storage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Reads and writes the deletion files of one table. Thread-safe.
 *
 * <p>Every check of spec chapters 09 and 25 is made on read, the CRC included; damage is a {@link
 * io.obelus.core.io.CorruptFileException} that names the deletion file, the byte and the data file.
 * Memory is bounded by the size of the file, whatever the numbers in it say.
 *
 * <p>A 64-bit bitmap with a position of 2^31 or more is sound but not for us: an
 * IllegalArgumentException.
 *
 * @param directory the table's index directory
 */
public record DeletionFiles(Storage storage, String directory) implements Serializable {

  /**
   * Writes the bitmaps of a bucket as a new file. The bitmaps stay as they are.
   *
   * @param bitmaps by data file name; empty ones are left out. With nothing left the file is an
   *     empty one, which replaces an older one
   */
  public DeletionFile write(
      String name, DeletionCoding coding, SortedMap<String, Positions> bitmaps) throws IOException {
    SortedMap<String, Positions> filled = new TreeMap<>(bitmaps); // keeps the order
    filled.values().removeIf(Positions::isEmpty);
    if (coding == DeletionCoding.DELETE_MAP) {
      byte[] content = DeleteMapFormat.write(filled);
      try (OutputStream out = storage.create(pathOf(name))) {
        out.write(content);
      }
      return new DeletionFile(name, content.length, filled.size(), true, List.of(), null);
    }
    return writeBoxes(name, coding == DeletionCoding.BITMAP64, filled);
  }

  private DeletionFile writeBoxes(String name, boolean wide, SortedMap<String, Positions> bitmaps)
      throws IOException {
    List<Range> ranges = new ArrayList<>();
    int size = DeletionFileFormat.HEAD;
    try (OutputStream out = storage.create(pathOf(name))) {
      out.write(DeletionFileFormat.VERSION);
      for (Map.Entry<String, Positions> entry : bitmaps.entrySet()) {
        byte[] box = DeletionFileFormat.box(entry.getValue(), wide);
        ranges.add(DeletionFileFormat.range(entry.getKey(), size, box, wide, entry.getValue()));
        size = checkedSize(size + (long) box.length);
        out.write(box);
      }
    }
    return new DeletionFile(name, size, ranges.size(), false, ranges, null);
  }

  /** All bitmaps of a file, by data file name, in the order of the file. */
  public Map<String, Positions> read(DeletionFile file) throws IOException {
    Place start = Place.startOf(pathOf(file));
    try (SeekableInput in = open(file, start)) {
      return file.deleteMap()
          ? DeleteMapFormat.readAll(in, file, start)
          : DeletionFileFormat.readAll(in, file, start);
    }
  }

  /**
   * The bitmap of one data file, reading just its bytes (and a delete map's directory); null if the
   * file has none. {@code file} may have lost the ranges of other data files.
   *
   * @param rowCount rows of the data file: a position at or above it is refused
   */
  public Positions read(DeletionFile file, String dataFile, long rowCount) throws IOException {
    Place start = Place.startOf(pathOf(file));
    if (file.deleteMap()) {
      try (SeekableInput in = open(file, start)) {
        return DeleteMapFormat.readOne(in, file, dataFile, rowCount, start);
      }
    }
    for (Range range : file.ranges()) {
      if (range.dataFile().equals(dataFile)) {
        try (SeekableInput in = open(file, start)) {
          return DeletionFileFormat.readOne(in, range, rowCount, start);
        }
      }
    }
    return null;
  }

  /** Opens a file whose size is what the index manifest says. */
  private SeekableInput open(DeletionFile file, Place start) throws IOException {
    SeekableInput in = storage.open(start.file());
    if (in.size() != file.size()) {
      long found = in.size();
      in.close();
      throw new CorruptFileException(start, "file size", file.size(), found);
    }
    return in;
  }

  private String pathOf(DeletionFile file) {
    return file.path() == null ? pathOf(file.name()) : file.path();
  }

  private String pathOf(String name) {
    return directory + "/" + name;
  }

  /** The largest number in a bitmap; -1 if it is empty. */
  static long largest(RoaringBitmap bitmap) {
    return bitmap.isEmpty() ? -1 : Integer.toUnsignedLong(bitmap.last());
  }

  /** Refuses a bitmap whose largest position is not a row of its data file. */
  static void checkLargest(long largest, long rowCount, Place place, String what) {
    if (largest >= rowCount) {
      throw new CorruptFileException(
          place,
          "%s marks row %d, but that data file has at most %d rows: the bitmap belongs to another"
                  .formatted(what, largest, rowCount)
              + " file");
    }
  }

  /** A file size as the index manifest can keep it. */
  static int checkedSize(long size) {
    if (size > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "The deletion bitmaps of one bucket need %d bytes, more than the %d of a deletion file;"
                  .formatted(size, Integer.MAX_VALUE)
              + " compact the bucket or use more buckets.");
    }
    return (int) size;
  }
}
