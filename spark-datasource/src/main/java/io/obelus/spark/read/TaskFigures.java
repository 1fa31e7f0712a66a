package io.obelus.spark.read;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * The numbers of one partition, on top of those of the partitions before it in the same task. Not
 * thread-safe.
 */
final class TaskFigures {

  private final Map<String, Long> before = new HashMap<>();

  /** Takes what the partitions before counted. */
  void begin(CustomTaskMetric[] metrics) {
    for (CustomTaskMetric metric : metrics) {
      before.put(metric.name(), metric.value());
    }
  }

  /**
   * A number so far.
   *
   * @param here what this partition counted
   */
  CustomTaskMetric of(TaskMetric metric, long here) {
    return new TaskFigure(metric.id(), before.getOrDefault(metric.id(), 0L) + here);
  }
}
