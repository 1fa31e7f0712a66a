package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Table;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * Deletes whole partitions without reading a row: what {@code SupportsDeleteV2} and {@code TRUNCATE
 * TABLE} ask of a table.
 */
public final class MetadataDelete {

  public MetadataDelete(Table table) {
    throw new UnsupportedOperationException("to be written");
  }

  /** Whether the predicates, all of which must hold, speak of nothing but partition columns. */
  public boolean can(Predicate[] predicates) {
    throw new UnsupportedOperationException("to be written");
  }

  /** Deletes the partitions for which all predicates are true; commits one snapshot. */
  public void delete(Predicate[] predicates) {
    throw new UnsupportedOperationException("to be written");
  }

  /** Deletes all rows. */
  public void truncate() {
    throw new UnsupportedOperationException("to be written");
  }
}
