package io.obelus.spark.read;

import io.obelus.core.file.data.PageFigures;
import io.obelus.core.table.scan.SplitReader;
import java.io.IOException;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Hands the batches of a split to Spark and keeps count. */
final class ObelusColumnarReader implements PartitionReader<ColumnarBatch> {

  /** What {@link #currentMetricsValues} tells. */
  static final CustomMetric[] METRICS =
      TaskMetric.all(
          TaskMetric.FILES_READ,
          TaskMetric.FILES_NOT_OPENED,
          TaskMetric.ROWS_STRUCK_OUT,
          TaskMetric.ROWS_LEFT_OUT,
          TaskMetric.ROWS_LEFT_OUT_BY_BITMAP,
          TaskMetric.ROWS_LEFT_OUT_BY_BSI,
          TaskMetric.ROWS_LEFT_OUT_BY_RANGE_BITMAP,
          TaskMetric.ROWS_LEFT_OUT_BY_BLOOM_FILTER,
          TaskMetric.INDEX_ANSWERS_NOT_USED,
          TaskMetric.PAGES_READ,
          TaskMetric.PAGES_SKIPPED,
          TaskMetric.DATA_BYTES_READ,
          TaskMetric.INDEX_BYTES_READ);

  private final SplitReader split;
  private final long files;

  private final TaskFigures figures = new TaskFigures();
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
    figures.begin(metrics);
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    PageFigures pages = split.pages();
    return new CustomTaskMetric[] {
      figures.of(TaskMetric.FILES_READ, files),
      figures.of(TaskMetric.FILES_NOT_OPENED, split.filesNotOpened()),
      figures.of(TaskMetric.ROWS_STRUCK_OUT, split.rowsStruckOut()),
      figures.of(TaskMetric.ROWS_LEFT_OUT, split.rowsLeftOutByIndexes()),
      figures.of(TaskMetric.ROWS_LEFT_OUT_BY_BITMAP, split.rowsLeftOutBy("bitmap")),
      figures.of(TaskMetric.ROWS_LEFT_OUT_BY_BSI, split.rowsLeftOutBy("bsi")),
      figures.of(TaskMetric.ROWS_LEFT_OUT_BY_RANGE_BITMAP, split.rowsLeftOutBy("range-bitmap")),
      figures.of(TaskMetric.ROWS_LEFT_OUT_BY_BLOOM_FILTER, split.rowsLeftOutBy("bloom-filter")),
      figures.of(TaskMetric.INDEX_ANSWERS_NOT_USED, split.indexAnswersNotUsed()),
      figures.of(TaskMetric.PAGES_READ, pages.read()),
      figures.of(TaskMetric.PAGES_SKIPPED, pages.skipped()),
      figures.of(TaskMetric.DATA_BYTES_READ, split.dataBytesRead()),
      figures.of(TaskMetric.INDEX_BYTES_READ, split.indexBytesRead())
    };
  }

  @Override
  public void close() throws IOException {
    split.close();
  }
}
