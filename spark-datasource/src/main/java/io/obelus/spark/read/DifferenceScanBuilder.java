package io.obelus.spark.read;

import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.DifferenceReader;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.ReadSettings;
import io.obelus.spark.option.ScanRange;
import io.obelus.spark.option.StatementOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The scan of what lies between two snapshots. Drops columns, and files by conditions, which Spark
 * checks again; limits are left to Spark, and columns with parts are returned whole.
 */
public final class DifferenceScanBuilder
    implements ScanBuilder, SupportsPushDownV2Filters, SupportsPushDownRequiredColumns {

  private final Table table;
  private final ScanRange.Ends ends;
  private final boolean allKinds;
  private final ReadSettings settings;
  private RowType columns;
  private PushedConditions pushed = PushedConditions.NONE;

  /**
   * @param allKinds whether rows that are gone are returned, too
   * @param statement options of the statement; see {@link StatementOptions#ofRead}
   */
  public DifferenceScanBuilder(
      Table table, ScanRange.Ends ends, boolean allKinds, Map<String, String> statement) {
    StatementOptions options = StatementOptions.ofRead(table.schema(), statement);
    this.table = options.applyTo(table);
    this.ends = ends;
    this.allKinds = allKinds;
    this.settings = ReadSettings.of(options);
    this.columns = table.schema().rowType();
    this.table.options().checkReadable();
    if (options
        .get(ReadSettings.LEVEL_ZERO)
        .filter(v -> !v.equalsIgnoreCase("merge"))
        .isPresent()) {
      throw new IllegalArgumentException(
          "option '%s' cannot be set for what lies between two snapshots: level 0 is part of both"
              .formatted(ReadSettings.LEVEL_ZERO));
    }
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    pushed = PushedConditions.of(predicates, table.schema().rowType());
    return predicates;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.understood().toArray(Predicate[]::new);
  }

  @Override
  public void pruneColumns(StructType required) {
    RowType type = table.schema().rowType();
    List<Column> wanted = new ArrayList<>();
    for (StructField field : required.fields()) {
      if (!isKind(field)) {
        wanted.add(type.column(type.indexOf(field.name())));
      }
    }
    columns = new RowType(wanted);
  }

  /** A column of that name may also be the table's own, as long as no kinds are asked for. */
  private boolean isKind(StructField field) {
    return allKinds && field.name().equals(DifferenceReader.ROW_KIND.name());
  }

  @Override
  public Scan build() {
    return new DifferenceScan(
        table, ends, columns, pushed.condition(), allKinds, settings.batches());
  }
}
