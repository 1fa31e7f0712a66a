package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/**
 * A number of a scan that Spark's SQL tab shows, summed up over the tasks. Public and with a
 * constructor without arguments, because Spark makes one by the name of the class to do the sum.
 */
public final class ScanMetric extends CustomSumMetric {

  private final String name;
  private final String description;

  /** One that can only add up. */
  public ScanMetric() {
    this("obelus", "obelus");
  }

  ScanMetric(String name, String description) {
    this.name = name;
    this.description = description;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }
}
