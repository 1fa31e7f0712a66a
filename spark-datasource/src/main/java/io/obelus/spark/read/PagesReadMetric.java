package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/** How many data pages a scan read. Public, because Spark makes one by its name. */
public final class PagesReadMetric extends CustomSumMetric {

  static final String NAME = "obelusPagesRead";

  public PagesReadMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "pages read";
  }
}
