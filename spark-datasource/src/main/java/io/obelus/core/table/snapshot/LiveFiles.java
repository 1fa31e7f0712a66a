package io.obelus.core.table.snapshot;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Predicate;

/**
 * The files that make up a table at one snapshot: manifests replayed, deletion files joined.
 * Thread-safe.
 */
public record LiveFiles(Table table, Snapshot snapshot) implements Serializable {

  /**
   * State of the buckets that are wanted and not empty.
   *
   * @param wanted called with each bucket that has an entry; manifests whose statistics rule it out
   *     are not read
   */
  public List<BucketState> buckets(Predicate<BucketId> wanted) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }
}
