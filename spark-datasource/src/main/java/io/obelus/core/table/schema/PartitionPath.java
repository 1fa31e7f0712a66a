package io.obelus.core.table.schema;

import io.obelus.core.row.RowBytes;
import java.io.Serializable;

/**
 * The directory of a partition, from its values (spec chapter 01): {@code pt=1/dt=19723}, escaped.
 * Thread-safe.
 */
public record PartitionPath(TableSchema schema) implements Serializable {

  /** Empty for an unpartitioned table. */
  public String of(RowBytes partition) {
    throw new UnsupportedOperationException("to be written");
  }
}
