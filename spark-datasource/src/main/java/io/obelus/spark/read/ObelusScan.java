package io.obelus.spark.read;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.KeyLookup;
import io.obelus.core.table.scan.PlanFigures;
import io.obelus.core.table.scan.ScanFilter;
import io.obelus.core.table.scan.ScanPlan;
import io.obelus.core.table.scan.Split;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.expression.BucketNumber;
import io.obelus.spark.expression.SparkPredicates;
import io.obelus.spark.option.ReadSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportPartitioning;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.connector.read.partitioning.UnknownPartitioning;
import org.apache.spark.sql.types.StructType;
import scala.collection.Seq;

/**
 * The scan of one snapshot: columns and condition are settled, the plan is made when first asked
 * for. Two scans are equal if they return the same.
 *
 * <p>A join may narrow the condition at run time, before partitions are planned again.
 */
public final class ObelusScan
    implements Scan,
        SupportsReportStatistics,
        SupportsReportPartitioning,
        SupportsRuntimeV2Filtering {

  static final int NO_LIMIT = -1;

  /** A longer list of join keys hits nearly every file; looking it up would cost more. */
  private static final int MOST_RUNTIME_LITERALS = 10_000;

  private final Table table;
  private final Snapshot snapshot;
  private final RowType columns;
  private final Predicate pushed;
  private final Predicate required;
  private final int limit;
  private final ReadSettings settings;
  private Predicate condition;
  private ScanPlan plan;

  /** Null until Spark has asked, or partitions were planned: what is said then holds on. */
  private Optional<BucketPartitioning> partitioning;

  /** A bucket that was there when it was said; null if nothing was. */
  private BucketId anyBucket;

  /**
   * @param pushed its {@code required} is not checked again by anybody
   * @param known the plan of this very condition, if somebody has made it already; else null
   */
  ObelusScan(
      Table table,
      Snapshot snapshot,
      RowType columns,
      ScanFilter pushed,
      int limit,
      ReadSettings settings,
      ScanPlan known) {
    this.table = table;
    this.snapshot = snapshot;
    this.columns = columns;
    this.pushed = pushed.condition();
    this.required = pushed.required();
    this.limit = limit;
    this.settings = settings;
    this.condition = pushed.condition();
    this.plan = known;
  }

  /** The snapshot that is read; empty if the table has none. */
  public Optional<Snapshot> snapshot() {
    return Optional.ofNullable(snapshot);
  }

  @Override
  public StructType readSchema() {
    return columns.toSpark();
  }

  @Override
  public Batch toBatch() {
    return new ObelusBatch(this, new ScanFilter(condition, required));
  }

  Table table() {
    return table;
  }

  RowType columns() {
    return columns;
  }

  ReadSettings settings() {
    return settings;
  }

  /**
   * Whether rows are apart by bucket. A condition that comes at run time changes nothing of it:
   * Spark then expects the same keys, or some of them.
   */
  @Override
  public Partitioning outputPartitioning() {
    return partitioning()
        .map(known -> known.of(plan().buckets().size()))
        .orElseGet(() -> new UnknownPartitioning(splits().size()));
  }

  private Optional<BucketPartitioning> partitioning() {
    if (partitioning == null) {
      partitioning = BucketPartitioning.of(table, columns, plan());
      anyBucket = partitioning.isPresent() ? plan().buckets().iterator().next() : null;
    }
    return partitioning;
  }

  /** The partitions to read. */
  InputPartition[] partitions(ScanFilter filter) {
    if (partitioning().isEmpty()) {
      return splits().stream()
          .map(split -> new ObelusPartition(split, filter))
          .toArray(InputPartition[]::new);
    }
    InputPartition[] partitions =
        splits().stream()
            .map(split -> keyed(split, BucketPartitioning.bucket(split), filter))
            .toArray(InputPartition[]::new);
    // Spark 3.5 fails if nothing is left: one with no rows then.
    return partitions.length > 0
        ? partitions
        : new InputPartition[] {keyed(Split.EMPTY, anyBucket, filter)};
  }

  private InputPartition keyed(Split split, BucketId bucket, ScanFilter filter) {
    return new KeyedPartition(
        new ObelusPartition(split, filter), partitioning().orElseThrow().key(bucket));
  }

  /** The splits to read, cut down to what the limit needs. */
  private List<Split> splits() {
    int tasks = SparkSession.active().sparkContext().defaultParallelism();
    List<Split> all =
        partitioning().isPresent() ? plan().splitsOfBuckets(tasks) : plan().splits(tasks);
    if (limit == NO_LIMIT || plan().exactRowCount().isEmpty()) {
      return all;
    }
    List<Split> enough = new ArrayList<>();
    long rows = 0;
    for (Split split : all) {
      if (rows >= limit) {
        break;
      }
      enough.add(split);
      rows += split.rows();
    }
    return enough;
  }

  private ScanPlan plan() {
    if (plan == null) {
      try {
        plan = ScanPlan.of(table, snapshot, condition, settings.levelZero());
      } catch (IOException e) {
        throw new UncheckedIOException("the scan of " + table.name() + " could not be planned", e);
      }
    }
    return plan;
  }

  @Override
  public NamedReference[] filterAttributes() {
    return Stream.concat(
            table.schema().primaryKeys().stream(), table.schema().partitionKeys().stream())
        .distinct()
        .filter(name -> columns.indexOf(name) >= 0)
        .map(name -> Expressions.column("`" + name.replace("`", "``") + "`"))
        .toArray(NamedReference[]::new);
  }

  @Override
  public void filter(org.apache.spark.sql.connector.expressions.filter.Predicate[] predicates) {
    List<Predicate> parts = new ArrayList<>();
    parts.add(condition);
    for (var predicate : predicates) {
      if (predicate.children().length <= MOST_RUNTIME_LITERALS) {
        SparkPredicates.weaker(predicate, table.schema().rowType()).ifPresent(parts::add);
      }
    }
    if (parts.size() > 1) {
      condition = new Predicate.And(parts);
      plan = null;
    }
  }

  @Override
  public Statistics estimateStatistics() {
    PlanFigures figures = plan().figures();
    long rows = Math.max(0, figures.rows());
    long rowSize = readSchema().defaultSize();
    double share = (double) rowSize / Math.max(1, table.schema().rowType().toSpark().defaultSize());
    // wide texts make rows larger than Spark's defaults, so the files have a say
    long size = Math.max(rows * rowSize, (long) (figures.bytes() * Math.min(1, share)));
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(Math.max(1, size));
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.of(rows);
      }

      @Override
      public Map<NamedReference, ColumnStatistics> columnStats() {
        return AnalyzedColumns.of(table, snapshot, columns, rows);
      }
    };
  }

  @Override
  public String description() {
    StringBuilder text = new StringBuilder("obelus ").append(table.name());
    text.append(snapshot == null ? " [empty" : " [snapshot " + snapshot.id());
    text.append(", ").append(new PlanReport(plan().figures()).text());
    if (!condition.equals(Predicate.ALWAYS)) {
      text.append(", condition ").append(PredicateText.of(condition));
    }
    if (!required.equals(Predicate.ALWAYS)) {
      text.append(", answered by bitmap indexes ").append(PredicateText.of(required));
    }
    if (partitioning().isPresent()) {
      text.append(", by bucket");
    }
    if (limit != NO_LIMIT) {
      text.append(", limit ").append(limit);
    }
    return text.append(", columns ")
        .append(columns.columns().stream().map(Column::name).toList())
        .append(']')
        .toString();
  }

  /**
   * The same rows, found one by one by their keys: each row that the condition is true of, where
   * that is what Spark left to the scan. Empty where a key does not lead to one place.
   *
   * @param keys an expression for each column of the primary key, of its type
   */
  public Optional<KeyLookupGenerator> lookup(Seq<Expression> keys) {
    if (limit != NO_LIMIT
        || !required.equals(Predicate.ALWAYS)
        || !isOfTable(columns)
        || !hasComparableKey()) {
      return Optional.empty();
    }
    return plan()
        .keyedFiles()
        .map(
            files ->
                new KeyLookupGenerator(files, columns, settings.batches(), description(), keys));
  }

  /** Names and types of the columns that {@link #lookup} goes by. */
  public StructType primaryKey() {
    return KeyLookup.primaryKey(table.schema()).toSpark();
  }

  private boolean isOfTable(RowType asked) {
    return asked.columns().stream()
        .allMatch(column -> table.schema().rowType().indexOfId(column.id()) >= 0);
  }

  /** Whether keys that Spark takes for equal lead to one bucket. */
  private boolean hasComparableKey() {
    return KeyLookup.primaryKey(table.schema()).columns().stream()
        .allMatch(column -> BucketNumber.isComparable(column.type()));
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return settings.vectorized() ? ColumnarSupportMode.SUPPORTED : ColumnarSupportMode.UNSUPPORTED;
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return PlanReport.metrics(ObelusColumnarReader.METRICS);
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return new PlanReport(plan().figures()).values();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObelusScan that
        && table.directory().equals(that.table.directory())
        && table.schema().equals(that.table.schema())
        && Objects.equals(snapshot, that.snapshot)
        && columns.equals(that.columns)
        && pushed.equals(that.pushed)
        && required.equals(that.required)
        && condition.equals(that.condition)
        && limit == that.limit
        && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return Objects.hash(table.directory(), snapshot, columns, pushed, limit);
  }
}
