package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/** How many bytes of data files a scan read. Public, because Spark makes one by its name. */
public final class DataBytesReadMetric extends CustomSumMetric {

  static final String NAME = "obelusDataBytesRead";

  public DataBytesReadMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "bytes read of data files";
  }
}
