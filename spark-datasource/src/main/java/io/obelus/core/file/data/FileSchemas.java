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
}
