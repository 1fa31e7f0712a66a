package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/**
 * How many rows deletion bitmaps took out of what a scan read. Public, because Spark makes one by
 * its name.
 */
public final class RowsStruckOutMetric extends CustomSumMetric {

  static final String NAME = "obelusRowsStruckOut";

  public RowsStruckOutMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "rows struck out";
  }
}
