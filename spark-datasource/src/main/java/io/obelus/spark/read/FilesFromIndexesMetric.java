package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/**
 * Of how many data files indexes told all that was asked, so that they were not opened. Public,
 * because Spark makes one by its name.
 */
public final class FilesFromIndexesMetric extends CustomSumMetric {

  static final String NAME = "obelusFilesFromIndexes";

  public FilesFromIndexesMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "files answered by their indexes";
  }
}
