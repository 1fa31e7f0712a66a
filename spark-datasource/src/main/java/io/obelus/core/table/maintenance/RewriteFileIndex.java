package io.obelus.core.table.maintenance;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.IndexRewrite;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.IOException;
import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Brings the indexes of a table's data files to what its options {@code file-index.*} ask for now:
 * plan it, run each bucket wherever there is room, commit all of it as one snapshot. No row and no
 * data file changes; older snapshots keep the indexes they have.
 *
 * <p>It is fixed to the snapshot that was the newest when it was made. Immutable, thread-safe,
 * serializable.
 */
public final class RewriteFileIndex implements Serializable {

  private static final long serialVersionUID = 1;

  private final Table table;
  private final Snapshot base;
  private final IndexRewrite rewrite;

  private RewriteFileIndex(Table table, Snapshot base, boolean anew) {
    this.table = table;
    this.base = base;
    this.rewrite =
        new IndexRewrite(
            TableBuckets.files(table, DataFiles.BatchSettings.DEFAULT)
                .withIndexes(table.options().fileIndexes()),
            table.schema().rowType(),
            anew);
  }

  /**
   * For the newest snapshot.
   *
   * @throws IllegalArgumentException if the table has an option that we cannot write by, or asks
   *     for an index that cannot be
   */
  public static RewriteFileIndex of(Table table) throws IOException {
    return of(table, false);
  }

  /**
   * As the other form.
   *
   * @param anew whether indexes that are there are made once more
   */
  public static RewriteFileIndex of(Table table, boolean anew) throws IOException {
    table.options().checkWritable();
    return new RewriteFileIndex(table, table.snapshots().latest().orElse(null), anew);
  }

  /** The buckets that are wanted and hold files. */
  public List<BucketState> buckets(Predicate<BucketId> wanted) throws IOException {
    return base == null ? List.of() : new LiveFiles(table, base).buckets(wanted);
  }

  /**
   * Rewrites the indexes of one bucket; files that have what is wanted are left alone, unless
   * indexes are made anew.
   *
   * @param dryRun only say what would be done
   */
  public IndexRewrite.Result run(BucketState bucket, boolean dryRun) throws IOException {
    return rewrite.run(bucket, dryRun);
  }

  /**
   * Makes the changes visible, and lets old snapshots expire.
   *
   * <p>A file that loses its index is then described as it was before it had one. Paimon takes an
   * entry that was deleted anywhere in the manifests for deleted, also if it was added again later,
   * and would not see the file. So the manifests are merged first: no deletion is left in them.
   *
   * @return the new snapshot; empty if all changes are
   * @throws io.obelus.core.io.CommitConflictException if another commit changed one of the buckets;
   *     the table is then as that commit left it, and the new index files are deleted
   */
  public Optional<Snapshot> commit(Collection<BucketChange> changes) throws IOException {
    Optional<Snapshot> made =
        new Commit(table.withOptions(CompactManifests.EAGER), base).commit(changes);
    made.ifPresent(snapshot -> AfterCommit.run(table, snapshot));
    return made;
  }
}
