package io.obelus.spark.read;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableStatistics;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;

/** What ANALYZE TABLE found out about columns, brought down to the rows that a scan has left. */
final class AnalyzedColumns {

  private AnalyzedColumns() {}

  /**
   * Statistics of the columns of a scan; none if there are none, if they are of other columns than
   * the table is read with, or if their file cannot be read: no answer depends on them, and verify
   * tells of the file.
   *
   * @param snapshot null if the table has none
   * @param rows of the scan, from now
   */
  static Map<NamedReference, ColumnStatistics> of(
      Table table, Snapshot snapshot, RowType columns, long rows) {
    Map<NamedReference, ColumnStatistics> all = new HashMap<>();
    TableStatistics found = read(table, snapshot).orElse(null);
    if (found == null || found.schemaId() != table.schema().id()) {
      return all;
    }
    for (Column column : columns.columns()) {
      var known = found.columns().get(column.name());
      if (known != null && known.columnId() == column.id()) {
        all.put(
            Expressions.column("`" + column.name().replace("`", "``") + "`"),
            new OfColumn(known, rows, share(rows, found.rowCount())));
      }
    }
    return all;
  }

  private static Optional<TableStatistics> read(Table table, Snapshot snapshot) {
    try {
      return table.statisticsFiles().of(snapshot);
    } catch (IOException | CorruptFileException e) {
      return Optional.empty();
    }
  }

  private static double share(long rows, Long analyzed) {
    return analyzed == null || analyzed == 0 ? 1 : (double) rows / analyzed;
  }

  /**
   * Statistics of one column.
   *
   * @param rows of the scan
   * @param share of the rows that were looked at; above 1 if the table has grown
   */
  private record OfColumn(
      io.obelus.core.table.snapshot.ColumnStatistics known, long rows, double share)
      implements ColumnStatistics {

    @Override
    public OptionalLong distinctCount() {
      Long distinct = known.distinctCount();
      return optional(distinct == null ? null : (Long) Math.min(distinct, rows));
    }

    @Override
    public Optional<Object> min() {
      return Optional.ofNullable(known.min());
    }

    @Override
    public Optional<Object> max() {
      return Optional.ofNullable(known.max());
    }

    @Override
    public OptionalLong nullCount() {
      Long nulls = known.nullCount();
      return optional(nulls == null ? null : (Long) Math.min(rows, Math.round(nulls * share)));
    }

    @Override
    public OptionalLong avgLen() {
      return optional(known.averageLength());
    }

    @Override
    public OptionalLong maxLen() {
      return optional(known.maxLength());
    }

    private static OptionalLong optional(Long value) {
      return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
  }
}
