package io.obelus.core.table.commit;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * From bucket changes to the next snapshot (spec chapter 11): all of them become visible together,
 * or none.
 */
public final class Commit {

  /**
   * @param base snapshot that the changes were made from; null if the table had none
   */
  public Commit(Table table, Snapshot base) {
    throw new UnsupportedOperationException("to be written");
  }

  /** Properties that the snapshot will carry. */
  public Commit withProperties(Map<String, String> properties) {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Commits changes of rows or compactions.
   *
   * @return the new snapshot; empty if there was nothing to commit
   * @throws io.obelus.core.io.CommitConflictException if another commit changed one of the same
   *     buckets; what the changes wrote is deleted
   */
  public Optional<Snapshot> commit(Collection<BucketChange> changes) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Replaces whole partitions: all their files and bitmaps go, the added files of {@code changes}
   * come.
   *
   * @param replaced which partitions
   */
  public Optional<Snapshot> overwrite(List<BucketChange> changes, Predicate<RowBytes> replaced)
      throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Deletes what changes wrote that will not be committed. Never throws for a file that is gone.
   */
  public void abort(Collection<BucketChange> changes) {
    throw new UnsupportedOperationException("to be written");
  }
}
