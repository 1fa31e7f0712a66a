package io.obelus.core.table.scan;

import java.io.Closeable;
import java.io.IOException;

/** Live rows of one file, or of several that are merged. Not thread-safe. */
interface RowSource extends Closeable {

  /** The next batch with at least one row, or null at the end; valid until the next call. */
  LocatedBatch next() throws IOException;
}
