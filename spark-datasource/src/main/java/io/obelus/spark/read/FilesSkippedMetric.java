package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/**
 * How many data files a scan's condition ruled out before any task started. Public, because Spark
 * makes one by its name.
 */
public final class FilesSkippedMetric extends CustomSumMetric {

  static final String NAME = "obelusFilesSkipped";

  public FilesSkippedMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "data files skipped";
  }
}
