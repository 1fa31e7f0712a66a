package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketId;
import java.io.Serializable;
import java.util.List;

/**
 * Files of one bucket in which two snapshots differ: what one task compares. A file can be on both
 * sides, with more of its rows struck out on one; of a bucket that is not merged, only the rows
 * that one side has and the other has not are read then.
 *
 * @param before of the earlier snapshot
 * @param after of the later one
 * @param merge whether rows of one key can be in several files of a side; then the sides are whole
 *     buckets
 */
public record Difference(
    BucketId bucket, List<Split.Part> before, List<Split.Part> after, boolean merge)
    implements Serializable {

  public Difference {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }
}
