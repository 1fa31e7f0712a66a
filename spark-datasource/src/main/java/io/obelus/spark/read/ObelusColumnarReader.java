package io.obelus.spark.read;

import io.obelus.core.table.scan.SplitReader;
import java.io.IOException;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Hands the batches of a split to Spark and keeps count. */
final class ObelusColumnarReader implements PartitionReader<ColumnarBatch> {

  private final SplitReader split;
  private final long files;
  private long filesBefore;
  private long struckOutBefore;
  private long leftOutBefore;
  private ColumnarBatch batch;

  ObelusColumnarReader(SplitReader split, long files) {
    this.split = split;
    this.files = files;
  }

  @Override
  public boolean next() throws IOException {
    batch = split.next();
    return batch != null;
  }

  @Override
  public ColumnarBatch get() {
    return batch;
  }

  /** What the partitions before this one in the same task counted; ours comes on top. */
  @Override
  public void initMetricsValues(CustomTaskMetric[] metrics) {
    for (CustomTaskMetric metric : metrics) {
      switch (metric.name()) {
        case FilesReadMetric.NAME -> filesBefore = metric.value();
        case RowsStruckOutMetric.NAME -> struckOutBefore = metric.value();
        case RowsLeftOutMetric.NAME -> leftOutBefore = metric.value();
        default -> {}
      }
    }
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return new CustomTaskMetric[] {
      new TaskFigure(FilesReadMetric.NAME, filesBefore + files),
      new TaskFigure(RowsStruckOutMetric.NAME, struckOutBefore + split.rowsStruckOut()),
      new TaskFigure(RowsLeftOutMetric.NAME, leftOutBefore + split.rowsLeftOutByIndexes())
    };
  }

  @Override
  public void close() throws IOException {
    split.close();
  }
}
