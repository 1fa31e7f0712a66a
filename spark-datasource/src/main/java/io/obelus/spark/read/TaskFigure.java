package io.obelus.spark.read;

import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** One number for one of the scan's metrics. */
record TaskFigure(String name, long value) implements CustomTaskMetric {}
