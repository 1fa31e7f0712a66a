package io.obelus.core.file.data;

import io.obelus.core.row.RowBytes;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Something that is made of the rows of one data file while it is written, and is kept beside it: a
 * file index. Not thread-safe.
 */
public interface Companion extends Closeable {

  /** Begins the companion of a file. */
  @FunctionalInterface
  interface Factory {
    /** No companion. */
    Factory NONE = path -> new None();

    /**
     * @param path of the data file
     */
    Companion begin(String path);
  }

  /**
   * What a data file keeps of it.
   *
   * @param embedded its content, if it is small; else null
   * @param extraFiles names of the files that it wrote into the data file's directory
   */
  record Kept(RowBytes embedded, List<String> extraFiles) {
    /** Nothing. */
    public static final Kept NOTHING = new Kept(null, List.of());
  }

  /** Takes the next row of the data file; all columns of the table. The row may be reused. */
  void add(InternalRow row);

  /** Writes what is to be kept. */
  Kept finish() throws IOException;

  /** Gives up what was not finished; does nothing otherwise. */
  @Override
  void close() throws IOException;

  /** The companion of a file that has none. */
  final class None implements Companion {
    private None() {}

    @Override
    public void add(InternalRow row) {}

    @Override
    public Kept finish() {
      return Kept.NOTHING;
    }

    @Override
    public void close() {}
  }
}
