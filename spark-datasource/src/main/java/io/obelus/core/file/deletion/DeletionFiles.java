package io.obelus.core.file.deletion;

import io.obelus.core.file.position.Positions;
import io.obelus.core.io.Storage;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import java.util.SortedMap;

/**
 * Reads and writes the deletion files of one table. Thread-safe.
 *
 * <p>Every check of spec chapters 09 and 25 is made on read, the CRC included; damage is a {@link
 * io.obelus.core.io.CorruptFileException} that names the deletion file and the data file.
 *
 * @param directory the table's index directory
 */
public record DeletionFiles(Storage storage, String directory) implements Serializable {

  /**
   * Writes the bitmaps of a bucket as a new file.
   *
   * @param bitmaps by data file name; empty ones are left out. With nothing left the file is an
   *     empty one, which replaces an older one
   */
  public DeletionFile write(
      String name, DeletionCoding coding, SortedMap<String, Positions> bitmaps) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** All bitmaps of a file, by data file name. */
  public Map<String, Positions> read(DeletionFile file) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * The bitmap of one data file, reading just its bytes; null if the file has none.
   *
   * @param rowCount rows of the data file: a position at or above it is refused
   */
  public Positions read(DeletionFile file, String dataFile, long rowCount) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }
}
