package io.obelus.core.table.maintenance;

import io.obelus.core.bucket.BucketTasks;
import io.obelus.core.table.snapshot.Table;

/** Gives the buckets of a table what they need of its schema and options. */
public final class TableTasks {

  private TableTasks() {}

  /** The work on buckets of {@code table}, keyed or append. */
  public static BucketTasks of(Table table) {
    throw new UnsupportedOperationException("to be written");
  }
}
