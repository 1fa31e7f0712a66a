package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;

/**
 * For how many files all rows were read, because their indexes left too many. Public, because Spark
 * makes one by its name.
 */
public final class IndexAnswersNotUsedMetric extends CustomSumMetric {

  static final String NAME = "obelusIndexAnswersNotUsed";

  public IndexAnswersNotUsedMetric() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "index answers not used: too many rows";
  }
}
