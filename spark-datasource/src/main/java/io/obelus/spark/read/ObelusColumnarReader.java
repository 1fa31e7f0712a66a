package io.obelus.spark.read;

import io.obelus.core.file.data.PageFigures;
import io.obelus.core.table.scan.SplitReader;
import java.io.IOException;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Hands the batches of a split to Spark and keeps count. */
final class ObelusColumnarReader implements PartitionReader<ColumnarBatch> {

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
      figures.of(FilesReadMetric.NAME, files),
      figures.of(RowsStruckOutMetric.NAME, split.rowsStruckOut()),
      figures.of(RowsLeftOutMetric.NAME, split.rowsLeftOutByIndexes()),
      figures.of(RowsLeftOutByBitmapMetric.NAME, split.rowsLeftOutBy("bitmap")),
      figures.of(RowsLeftOutByBsiMetric.NAME, split.rowsLeftOutBy("bsi")),
      figures.of(RowsLeftOutByRangeBitmapMetric.NAME, split.rowsLeftOutBy("range-bitmap")),
      figures.of(RowsLeftOutByBloomFilterMetric.NAME, split.rowsLeftOutBy("bloom-filter")),
      figures.of(IndexAnswersNotUsedMetric.NAME, split.indexAnswersNotUsed()),
      figures.of(PagesReadMetric.NAME, pages.read()),
      figures.of(PagesSkippedMetric.NAME, pages.skipped()),
      figures.of(DataBytesReadMetric.NAME, split.dataBytesRead()),
      figures.of(IndexBytesReadMetric.NAME, split.indexBytesRead())
    };
  }

  @Override
  public void close() throws IOException {
    split.close();
  }
}
