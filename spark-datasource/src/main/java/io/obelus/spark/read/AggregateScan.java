package io.obelus.spark.read;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.AggregateReader;
import io.obelus.core.table.scan.Aggregates;
import io.obelus.core.table.scan.ScanFilter;
import io.obelus.core.table.scan.ScanPlan;
import io.obelus.core.table.scan.Split;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Groups instead of rows, told by indexes where they can: each task returns those of its files, and
 * Spark adds them up.
 */
final class AggregateScan implements Scan, Batch {

  private final Table table;
  private final ScanPlan plan;
  private final Aggregates aggregates;
  private final ScanFilter filter;
  private final BatchSettings batches;

  /**
   * @param plan without anything to merge
   */
  AggregateScan(
      Table table, ScanPlan plan, Aggregates aggregates, ScanFilter filter, BatchSettings batches) {
    this.table = table;
    this.plan = plan;
    this.aggregates = aggregates;
    this.filter = filter;
    this.batches = batches;
  }

  @Override
  public StructType readSchema() {
    StructType schema = new StructType();
    if (aggregates.group() != null) {
      schema = schema.add(field(aggregates.group()));
    }
    int number = 0;
    for (Aggregates.Part part : aggregates.parts()) {
      String name = text(part) + "#" + number++;
      schema =
          part.isExtreme()
              ? schema.add(name, field(part.column()).dataType(), true)
              : schema.add(name, DataTypes.LongType, false);
    }
    return schema;
  }

  private static StructField field(Column column) {
    return new RowType(List.of(column)).toSpark().fields()[0];
  }

  @Override
  public String description() {
    StringBuilder text = new StringBuilder("obelus ").append(table.name());
    text.append(" [")
        .append(
            aggregates.parts().stream().map(AggregateScan::text).collect(Collectors.joining(", ")));
    if (aggregates.group() != null) {
      text.append(" by ").append(aggregates.group().name());
    }
    text.append(" from indexes, ").append(new PlanReport(plan.figures()).text());
    if (!filter.condition().equals(Predicate.ALWAYS)) {
      text.append(", condition ").append(PredicateText.of(filter.condition()));
    }
    return text.append(']').toString();
  }

  private static String text(Aggregates.Part part) {
    Column column = part.column();
    return switch (part.function()) {
      case COUNT_ROWS -> "COUNT(*)";
      case COUNT -> "COUNT(" + column.name() + ")";
      case MIN -> "MIN(" + column.name() + ")";
      case MAX -> "MAX(" + column.name() + ")";
    };
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    int tasks = SparkSession.active().sparkContext().defaultParallelism();
    List<Split> splits = plan.wholeFileSplits(tasks);
    // somebody has to say that there are no rows
    return (splits.isEmpty() ? List.of(Split.EMPTY) : splits)
        .stream().map(split -> new ObelusPartition(split, filter)).toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new Readers(table, aggregates, batches);
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return PlanReport.metrics(
        TaskMetric.all(
            TaskMetric.FILES_FROM_INDEXES,
            TaskMetric.ROWS_STRUCK_OUT,
            TaskMetric.ROWS_LEFT_OUT,
            TaskMetric.INDEX_BYTES_READ));
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return new PlanReport(plan.figures()).values();
  }

  private record Readers(Table table, Aggregates aggregates, BatchSettings batches)
      implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      ObelusPartition part = (ObelusPartition) partition;
      return new Groups(
          new AggregateReader(table, aggregates, part.filter(), batches, part.split()));
    }
  }

  private static final class Groups implements PartitionReader<InternalRow> {
    private final AggregateReader reader;
    private final TaskFigures figures = new TaskFigures();
    private InternalRow group;

    Groups(AggregateReader reader) {
      this.reader = reader;
    }

    @Override
    public boolean next() throws IOException {
      group = reader.next();
      return group != null;
    }

    @Override
    public InternalRow get() {
      return group;
    }

    @Override
    public void initMetricsValues(CustomTaskMetric[] metrics) {
      figures.begin(metrics);
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
      return new CustomTaskMetric[] {
        figures.of(TaskMetric.FILES_FROM_INDEXES, reader.filesFromIndexes()),
        figures.of(TaskMetric.ROWS_STRUCK_OUT, reader.rowsStruckOut()),
        figures.of(TaskMetric.ROWS_LEFT_OUT, reader.rowsLeftOutByIndexes()),
        figures.of(TaskMetric.INDEX_BYTES_READ, reader.indexBytesRead())
      };
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
