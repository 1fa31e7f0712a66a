package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/** How many data files the tasks of a scan read. Public, because Spark makes one by its name. */
public final class FilesReadMetric extends CustomSumMetric {

  static final String NAME = "obelusFilesRead";

  public FilesReadMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "data files read";
  }
}
