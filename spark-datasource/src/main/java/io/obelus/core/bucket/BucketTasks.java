package io.obelus.core.bucket;

import java.io.IOException;
import java.io.Serializable;

/**
 * The work that can be done on one bucket of a table: write rows, compact. Made once on the driver,
 * used in tasks. Thread-safe, serializable.
 */
public interface BucketTasks extends Serializable {

  /**
   * Begins a write.
   *
   * @param state the bucket at the snapshot that the write builds on
   */
  BucketWriter write(BucketState state) throws IOException;

  /**
   * Compacts a bucket.
   *
   * @param full all runs into one, bitmaps cleared; else only what chapter 08 would pick
   * @return an empty change if there is nothing to do
   */
  BucketChange compact(BucketState state, boolean full) throws IOException;
}
