package io.obelus.core.table.verify;

import java.io.Serializable;

/**
 * The place of a fault, as {@link Finding} has it.
 *
 * @param partition null if in no bucket
 * @param bucket null if in no bucket
 * @param file null if in no single file
 * @param position null if not about rows
 */
record Where(String partition, Integer bucket, String file, Long position) implements Serializable {

  /** A file that belongs to no bucket. */
  static Where file(String path) {
    return new Where(null, null, path, null);
  }

  /** A bucket as a whole. */
  static Where bucket(String partition, int bucket) {
    return new Where(partition, bucket, null, null);
  }

  /** A file of this bucket. */
  Where in(String path) {
    return new Where(partition, bucket, path, null);
  }

  /** A row of this file. */
  Where at(long row) {
    return new Where(partition, bucket, file, row);
  }
}
