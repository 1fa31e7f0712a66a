package io.obelus.core.file.data;

import io.obelus.core.row.RowType;
import java.io.Serializable;

/**
 * The table's columns at each schema, for whoever reads a file that was written with an older one.
 * Thread-safe.
 */
public interface FileSchemas extends Serializable {

  /** The table's columns (no system columns) in schema {@code schemaId}. */
  RowType rowType(long schemaId);

  /**
   * Whether a write under schema {@code schemaId} struck out the rows it replaced. Where it did
   * not, older versions of a key may stand unmarked in lower levels, even if bitmaps were switched
   * on later.
   */
  boolean deletionBitmaps(long schemaId);
}
