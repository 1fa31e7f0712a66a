package io.obelus.core.bucket;

import io.obelus.core.row.RowBytes;
import java.io.Serializable;

/**
 * Names one bucket of a table.
 *
 * @param partition row of the partition values, {@link RowBytes#EMPTY} in an unpartitioned table
 * @param bucket number from 0; -2 for postpone
 */
public record BucketId(RowBytes partition, int bucket) implements Serializable {}
