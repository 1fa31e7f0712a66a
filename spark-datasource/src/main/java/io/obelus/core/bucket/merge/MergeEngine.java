package io.obelus.core.bucket.merge;

import java.io.Serializable;

/** Makes one row of the rows of a key (spec chapter 10). Thread-safe. */
public interface MergeEngine extends Serializable {

  /**
   * Merges the records of one key. A key with a single record is not handed in: it stays as it is.
   *
   * @param records oldest first, in merge order; only the first {@code count} count
   * @param count at least 2
   * @return the result, valid as long as the records are
   */
  KeyedRecord merge(KeyedRecord[] records, int count);
}
