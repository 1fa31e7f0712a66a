package io.obelus.core.table.snapshot;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What ANALYZE TABLE found out about one snapshot. It is kept in a file of its own and handed on
 * from snapshot to snapshot, so it is about as many rows as there were then.
 *
 * @param snapshotId that was looked at
 * @param schemaId of the columns
 * @param rowCount rows that a query sees; null is unknown
 * @param byteSize of these rows in data files; null is unknown
 * @param columns by name, not of all columns
 */
public record TableStatistics(
    long snapshotId,
    long schemaId,
    Long rowCount,
    Long byteSize,
    Map<String, ColumnStatistics> columns) {
  public TableStatistics {
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
  }
}
