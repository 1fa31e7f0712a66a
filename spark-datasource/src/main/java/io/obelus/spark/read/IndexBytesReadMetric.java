package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/** How many bytes of index files a scan read. Public, because Spark makes one by its name. */
public final class IndexBytesReadMetric extends CustomSumMetric {

  static final String NAME = "obelusIndexBytesRead";

  public IndexBytesReadMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "bytes read of index files";
  }
}
