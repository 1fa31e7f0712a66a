package io.obelus.spark.read;

import io.obelus.core.table.scan.ScanFilter;
import io.obelus.core.table.scan.Split;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * What one task reads.
 *
 * @param filter rides along because a join can narrow it after the reader factory was made
 */
record ObelusPartition(Split split, ScanFilter filter) implements InputPartition {

  private static final long serialVersionUID = 1;
}
