package io.obelus.spark.read;

import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanFilter;
import io.obelus.core.table.scan.ScanPlan;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.ReadSettings;
import io.obelus.spark.option.StatementOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/**
 * Collects what Spark pushes down into the scan of one snapshot.
 *
 * <p>Conditions are used to skip files and rows and are handed back, so that Spark checks them
 * again; all but those that are answered for certain: see {@link RequiredConditions}. Aggregates
 * are answered as {@link AggregateAnswer} says, and a limit drops whole splits where the number of
 * their rows is exact.
 */
public final class ObelusScanBuilder
    implements ScanBuilder,
        SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownAggregates,
        SupportsPushDownLimit {

  private final Table table;
  private final Snapshot snapshot;
  private final ReadSettings settings;
  private RowType columns;
  private ScanFilter filter = ScanFilter.of(Predicate.ALWAYS);
  private PushedConditions pushed = PushedConditions.NONE;

  /** Whether Spark checks a part of the condition again, so that fewer rows may be left. */
  private boolean isChecked;

  private AggregateAnswer answer; // to what was asked last; null if nothing was
  private Scan aggregates; // instead of rows; null unless it was pushed
  private int limit = ObelusScan.NO_LIMIT;

  /** Once somebody has asked for it. */
  private ScanPlan plan;

  /**
   * @param snapshot what to read; null = the table has none and is empty
   * @param statement options of the statement; see {@link StatementOptions#ofRead}
   */
  public ObelusScanBuilder(Table table, Snapshot snapshot, Map<String, String> statement) {
    StatementOptions options = StatementOptions.ofRead(table.schema(), statement);
    this.table = options.applyTo(table);
    this.snapshot = snapshot;
    this.settings = ReadSettings.of(options);
    this.columns = table.schema().rowType();
    this.table.options().checkReadable();
  }

  @Override
  public org.apache.spark.sql.connector.expressions.filter.Predicate[] pushPredicates(
      org.apache.spark.sql.connector.expressions.filter.Predicate[] predicates) {
    pushed = PushedConditions.of(predicates, table.schema().rowType());
    RequiredConditions answered = RequiredConditions.of(table, predicates);
    filter = new ScanFilter(pushed.condition(), answered.required());
    isChecked = answered.others().length > 0;
    plan = null;
    return answered.others();
  }

  @Override
  public org.apache.spark.sql.connector.expressions.filter.Predicate[] pushedPredicates() {
    return pushed
        .understood()
        .toArray(org.apache.spark.sql.connector.expressions.filter.Predicate[]::new);
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = ReadColumns.of(table.schema(), required);
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return answer(aggregation).isWhole();
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    aggregates = answer(aggregation).scan();
    return aggregates != null;
  }

  private AggregateAnswer answer(Aggregation aggregation) {
    if (answer == null || !answer.question().equals(aggregation)) {
      answer = AggregateAnswer.of(aggregation, table, plan(), filter, exactRowCount(), settings);
    }
    return answer;
  }

  @Override
  public boolean pushLimit(int limit) {
    if (exactRowCount().isEmpty()) {
      return false;
    }
    this.limit = limit;
    return true;
  }

  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  private OptionalLong exactRowCount() {
    return isChecked ? OptionalLong.empty() : plan().exactRowCount();
  }

  private ScanPlan plan() {
    try {
      if (plan == null) {
        plan = ScanPlan.of(table, snapshot, filter.condition(), settings.levelZero());
      }
      return plan;
    } catch (IOException e) {
      throw new UncheckedIOException("the scan of " + table.name() + " could not be planned", e);
    }
  }

  @Override
  public Scan build() {
    return aggregates != null
        ? aggregates
        : new ObelusScan(table, snapshot, columns, filter, limit, settings, plan);
  }
}
