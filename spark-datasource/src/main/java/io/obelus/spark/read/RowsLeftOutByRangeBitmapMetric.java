package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/**
 * How many of the rows of {@link RowsLeftOutMetric} indexes of one kind took out. Public, because
 * Spark makes one by its name.
 */
public final class RowsLeftOutByRangeBitmapMetric extends CustomSumMetric {

  static final String NAME = "obelusRowsLeftOutByRangeBitmap";

  public RowsLeftOutByRangeBitmapMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "rows left out by range-bitmap indexes";
  }
}
