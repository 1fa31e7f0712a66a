package io.obelus.core.bucket;

import java.io.IOException;

/**
 * Work on the buckets of a keyed table.
 *
 * @param ignoreRetracts option {@code ignore-delete}
 */
public record KeyedTasks(KeyedBucket keyed, CompactionSettings settings, boolean ignoreRetracts)
    implements BucketTasks {

  @Override
  public BucketWriter write(BucketState state) throws IOException {
    return new KeyedBucketWriter(keyed, settings, ignoreRetracts, state);
  }

  @Override
  public BucketChange compact(BucketState state, boolean full) throws IOException {
    try (KeyedBucketWriter writer = new KeyedBucketWriter(keyed, settings, false, state)) {
      return writer.finish(full);
    }
  }

  @Override
  public BucketChange purge(BucketState state, double threshold) throws IOException {
    return new Purge(keyed, state).run(threshold);
  }
}
