package io.obelus.spark.read;

import io.obelus.core.table.scan.SplitReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Hands the batches of a split to Spark and keeps count. */
final class ObelusColumnarReader implements PartitionReader<ColumnarBatch> {

  private final SplitReader split;
  private final long files;

  /** What the partitions before this one in the same task counted; ours comes on top. */
  private final Map<String, Long> before = new HashMap<>();

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

  @Override
  public void initMetricsValues(CustomTaskMetric[] metrics) {
    for (CustomTaskMetric metric : metrics) {
      before.put(metric.name(), metric.value());
    }
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return new CustomTaskMetric[] {
      figure(FilesReadMetric.NAME, files),
      figure(RowsStruckOutMetric.NAME, split.rowsStruckOut()),
      figure(RowsLeftOutMetric.NAME, split.rowsLeftOutByIndexes()),
      figure(RowsLeftOutByBitmapMetric.NAME, split.rowsLeftOutBy("bitmap")),
      figure(RowsLeftOutByBsiMetric.NAME, split.rowsLeftOutBy("bsi")),
      figure(RowsLeftOutByRangeBitmapMetric.NAME, split.rowsLeftOutBy("range-bitmap")),
      figure(RowsLeftOutByBloomFilterMetric.NAME, split.rowsLeftOutBy("bloom-filter"))
    };
  }

  private TaskFigure figure(String name, long here) {
    return new TaskFigure(name, before.getOrDefault(name, 0L) + here);
  }

  @Override
  public void close() throws IOException {
    split.close();
  }
}
