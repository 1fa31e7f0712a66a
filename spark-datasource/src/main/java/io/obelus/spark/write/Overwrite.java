package io.obelus.spark.write;

import io.obelus.core.row.RowBytes;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which partitions an INSERT OVERWRITE replaces.
 *
 * @param partitions null = those that rows are written to
 */
record Overwrite(Predicate<RowBytes> partitions) {

  static final Overwrite ALL = new Overwrite(partition -> true);
  static final Overwrite WRITTEN = new Overwrite(null);

  /** The partitions to replace, given those that were written to. */
  Predicate<RowBytes> replaced(Set<RowBytes> written) {
    return partitions == null ? written::contains : partitions;
  }
}
