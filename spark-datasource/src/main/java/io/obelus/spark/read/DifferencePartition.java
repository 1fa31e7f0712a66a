package io.obelus.spark.read;

import io.obelus.core.table.scan.Difference;
import org.apache.spark.sql.connector.read.InputPartition;

/** What one task compares. */
record DifferencePartition(Difference difference) implements InputPartition {

  private static final long serialVersionUID = 1;
}
