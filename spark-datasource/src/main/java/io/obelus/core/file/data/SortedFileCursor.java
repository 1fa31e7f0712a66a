package io.obelus.core.file.data;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Walks a data file that is sorted by its key, forward only, skipping row groups and pages that end
 * before the key sought. Rows outside the selection are never returned. Not thread-safe.
 */
public interface SortedFileCursor extends Closeable {

  /**
   * Moves to the first selected row, at or behind the current one, whose key is not below {@code
   * key}.
   *
   * @param key a row that holds just the key columns, in key order
   * @return whether there is such a row
   */
  boolean seek(InternalRow key) throws IOException;

  /** The current row, in the columns asked for; valid until the next move. */
  InternalRow row();

  /** Position of the current row in the file. */
  long position();
}
