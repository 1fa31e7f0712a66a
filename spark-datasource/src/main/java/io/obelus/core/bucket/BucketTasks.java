package io.obelus.core.bucket;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * The work that can be done on one bucket of a table: write rows, compact, purge. Made once on the
 * driver, used in tasks. Thread-safe, serializable.
 */
public interface BucketTasks extends Serializable {

  /**
   * Begins a write.
   *
   * @param state the bucket at the snapshot that the write builds on
   */
  BucketWriter write(BucketState state) throws IOException;

  /**
   * The bucket in parts that can be compacted or purged at the same time, each as if it were one;
   * mostly just the bucket itself.
   */
  default List<BucketState> parts(BucketState state) {
    return List.of(state);
  }

  /**
   * Compacts a bucket.
   *
   * @param full all runs into one, bitmaps cleared; else only what chapter 08 would pick. Without a
   *     key: all small files and those with bitmaps; else as chapter 15 says when they are due
   * @return an empty change if there is nothing to do
   */
  BucketChange compact(BucketState state, boolean full) throws IOException;

  /**
   * Rewrites only the files of which more than {@code threshold} of the rows, 0 to 1, are struck
   * out, each for itself and at its own level, without those rows.
   *
   * @return an empty change if there is no such file
   */
  BucketChange purge(BucketState state, double threshold) throws IOException;
}
