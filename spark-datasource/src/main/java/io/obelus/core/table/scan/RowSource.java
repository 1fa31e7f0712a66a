package io.obelus.core.table.scan;

import io.obelus.core.file.data.PageFigures;
import java.io.Closeable;
import java.io.IOException;

/** Live rows of one file, or of several that are merged. Not thread-safe. */
interface RowSource extends Closeable {

  /** The next batch with at least one row, or null at the end; valid until the next call. */
  LocatedBatch next() throws IOException;

  /** Pages read and skipped so far; none where that is not counted. */
  default PageFigures pages() {
    return PageFigures.NONE;
  }
}
