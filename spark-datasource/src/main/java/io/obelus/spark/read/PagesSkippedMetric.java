package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/**
 * How many data pages of the wanted columns a scan did not read. Public, because Spark makes one by
 * its name.
 */
public final class PagesSkippedMetric extends CustomSumMetric {

  static final String NAME = "obelusPagesSkipped";

  public PagesSkippedMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "pages skipped";
  }
}
