package io.obelus.core.row;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Which bucket a row belongs to (spec chapter 06, fixed buckets). Not thread-safe: it reuses a
 * buffer.
 */
public final class BucketFunction implements Serializable {

  private static final long serialVersionUID = 1;

  /** How a bucket key becomes a number: option {@code bucket-function.type}. */
  public enum Type {
    DEFAULT,
    MOD
  }

  /**
   * @param type row type of the rows handed in
   * @param bucketKey indexes of the bucket key's columns, in the order of the bucket key
   * @param buckets number of buckets, above 0
   */
  public BucketFunction(Type function, RowType type, int[] bucketKey, int buckets) {
    throw new UnsupportedOperationException("to be written");
  }

  /** The bucket of a row, {@code [0, buckets)}. */
  public int bucket(InternalRow row) {
    throw new UnsupportedOperationException("to be written");
  }
}
