package io.obelus.spark.read;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.HasPartitionKey;

/**
 * What one task reads, all of one bucket.
 *
 * @param key see {@link BucketPartitioning#key}
 */
record KeyedPartition(ObelusPartition part, InternalRow key) implements HasPartitionKey {

  private static final long serialVersionUID = 1;

  @Override
  public InternalRow partitionKey() {
    return key;
  }
}
