package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/**
 * How many rows file indexes took out of what a scan read. Public, because Spark makes one by its
 * name.
 */
public final class RowsLeftOutMetric extends CustomSumMetric {

  static final String NAME = "obelusRowsLeftOut";

  public RowsLeftOutMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "rows left out by file indexes";
  }
}
