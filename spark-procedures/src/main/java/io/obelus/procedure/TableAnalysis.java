package io.obelus.procedure;

import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.inspect.TableSummary;
import io.obelus.core.table.maintenance.Analyze;
import io.obelus.core.table.snapshot.ColumnStatistics;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableStatistics;
import io.obelus.spark.ObelusTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.ColumnStat;
import org.apache.spark.sql.execution.command.CommandUtils$;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.collection.JavaConverters;

/**
 * {@code ANALYZE TABLE}: one job over the newest snapshot, with Spark's own aggregates, and a
 * snapshot that keeps what came out.
 */
public final class TableAnalysis {

  private final SparkSession session;
  private final Table table;

  /**
   * @param ours may be a branch, not a system table
   */
  public TableAnalysis(SparkSession session, ObelusTable ours) {
    this.session = session;
    this.table = ours.table();
  }

  /** Counts the rows. Nothing is kept of a table without a snapshot. */
  public void ofTable() {
    of(List.of());
  }

  /** Counts the rows and looks at all columns whose values have no parts. */
  public void ofAllColumns() {
    of(rowType().columns().stream().filter(ColumnStatistics::areKeptOf).toList());
  }

  /**
   * Counts the rows and looks at some columns.
   *
   * @param names in any case, unless the session is particular about it
   * @throws IllegalArgumentException naming the columns there are, or the one whose values have
   *     parts
   */
  public void ofColumns(List<String> names) {
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      Column column = column(name);
      if (!ColumnStatistics.areKeptOf(column)) {
        throw new IllegalArgumentException(
            "ANALYZE TABLE: column '%s' of %s has values with parts, of which there are no statistics; leave it out"
                .formatted(column.name(), table.name()));
      }
      columns.add(column);
    }
    of(columns);
  }

  private RowType rowType() {
    return table.schema().rowType();
  }

  private Column column(String name) {
    boolean exactly = session.sessionState().conf().caseSensitiveAnalysis();
    return rowType().columns().stream()
        .filter(c -> exactly ? c.name().equals(name) : c.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "ANALYZE TABLE: %s has no column '%s'; it has %s"
                        .formatted(table.name(), name, String.join(", ", rowType().names()))));
  }

  private void of(List<Column> columns) {
    try {
      Snapshot snapshot = table.snapshots().latest().orElse(null);
      if (snapshot != null) {
        Analyze.run(table, snapshot, computed(snapshot, columns));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("statistics of " + table.name() + " could not be kept", e);
    }
  }

  private TableStatistics computed(Snapshot snapshot, List<Column> columns) throws IOException {
    DataSourceV2Relation relation =
        DataSourceV2Relation.create(
            ObelusTable.fixed(table, snapshot), Option.empty(), Option.empty());
    Map<String, ColumnStatistics> statistics = new LinkedHashMap<>();
    long rows;
    if (columns.isEmpty()) {
      rows = Dataset.ofRows(session, relation).count();
    } else {
      List<Attribute> attributes = new ArrayList<>();
      for (Column column : columns) {
        attributes.add(relation.output().apply(rowType().indexOf(column.name())));
      }
      var found =
          CommandUtils$.MODULE$.computeColumnStats(
              session, relation, JavaConverters.asScalaBuffer(attributes).toList());
      rows = (Long) found._1();
      for (int i = 0; i < columns.size(); i++) {
        ColumnStat stat = found._2().apply(attributes.get(i));
        statistics.put(columns.get(i).name(), ofColumn(columns.get(i), stat));
      }
    }
    return new TableStatistics(
        snapshot.id(), table.schema().id(), rows, bytes(snapshot, rows), statistics);
  }

  private static ColumnStatistics ofColumn(Column column, ColumnStat stat) {
    return new ColumnStatistics(
        column.id(),
        number(stat.distinctCount()),
        bound(stat.min()),
        bound(stat.max()),
        number(stat.nullCount()),
        number(stat.avgLen()),
        number(stat.maxLen()));
  }

  /** NaN is larger than any number to Spark, but no bound to calculate with. */
  private static Object bound(Option<Object> value) {
    Object bound = value.isEmpty() ? null : value.get();
    boolean isNumber =
        !(bound instanceof Double d && d.isNaN()) && !(bound instanceof Float f && f.isNaN());
    return isNumber ? bound : null;
  }

  private static Long number(Option<?> value) {
    return value.isEmpty() ? null : (Long) Long.parseLong(value.get().toString());
  }

  /** The share of the data files that these rows are likely to have. */
  private long bytes(Snapshot snapshot, long rows) throws IOException {
    TableSummary summary = TableSummary.of(table, snapshot);
    double stored = (double) summary.liveRows() + summary.struckOutRows();
    return (long) (summary.bytes() * Math.min(1, rows / Math.max(1, stored)));
  }
}
