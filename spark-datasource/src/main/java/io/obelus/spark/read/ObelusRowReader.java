package io.obelus.spark.read;

import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;

/** The same batches, row by row, for {@code read.vectorized = false}. */
final class ObelusRowReader implements PartitionReader<InternalRow> {

  private final ObelusColumnarReader batches;
  private Iterator<InternalRow> rows = Collections.emptyIterator();
  private InternalRow row;

  ObelusRowReader(ObelusColumnarReader batches) {
    this.batches = batches;
  }

  @Override
  public boolean next() throws IOException {
    while (!rows.hasNext()) {
      if (!batches.next()) {
        return false;
      }
      rows = batches.get().rowIterator();
    }
    row = rows.next();
    return true;
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public void initMetricsValues(CustomTaskMetric[] metrics) {
    batches.initMetricsValues(metrics);
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return batches.currentMetricsValues();
  }

  @Override
  public void close() throws IOException {
    batches.close();
  }
}
