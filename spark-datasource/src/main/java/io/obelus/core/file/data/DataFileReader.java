package io.obelus.core.file.data;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads one data file as column batches narrowed to a row selection. Positions in a batch are right
 * behind skipped row groups and pages. Not thread-safe.
 */
public interface DataFileReader extends Closeable {

  /** The next batch that has a row, or null at the end; it is valid until the next call. */
  PositionedBatch next() throws IOException;

  /** Pages read and skipped so far. */
  PageFigures pages();
}
