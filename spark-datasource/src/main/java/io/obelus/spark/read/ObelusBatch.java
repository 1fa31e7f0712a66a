package io.obelus.spark.read;

import io.obelus.core.table.scan.ScanFilter;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/**
 * The partitions of a scan. Equal to another if the scans are, so that Spark can use one exchange
 * for both.
 *
 * @param filter the scan's when the batch was made
 */
record ObelusBatch(ObelusScan scan, ScanFilter filter) implements Batch {

  @Override
  public InputPartition[] planInputPartitions() {
    return scan.partitions(filter);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new ObelusPartitionReaderFactory(
        scan.table(), scan.columns(), scan.settings().batches(), scan.settings().vectorized());
  }
}
