package io.obelus.core.table.commit;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Partitions that go as a whole, and files that come in their place. */
final class OverwritePlan implements Plan {

  private final Table table;
  private final Snapshot base;
  private final List<BucketChange> changes;
  private final Predicate<RowBytes> replaced;
  private final Conflicts conflicts;
  private State baseState;

  /**
   * @param changes none of them empty
   */
  OverwritePlan(
      Table table, Snapshot base, List<BucketChange> changes, Predicate<RowBytes> replaced) {
    this.table = table;
    this.base = base;
    this.changes = changes;
    this.replaced = replaced;
    this.conflicts = new Conflicts(table, base);
    for (BucketChange change : changes) {
      if (!replaced.test(change.bucket().partition())) {
        throw new IllegalArgumentException(
            conflicts.name(change.bucket())
                + ": rows were written into a partition that the overwrite does not replace");
      }
      if (!change.removed().isEmpty()) {
        throw new IllegalArgumentException(
            conflicts.name(change.bucket())
                + ": an overwrite replaces all files of a bucket, the change may not name some");
      }
    }
  }

  @Override
  public Optional<Proposal> after(Snapshot latest) throws IOException {
    State now = State.of(table, latest, replaced);
    if (!Snapshot.same(base, latest)) {
      check(now, latest);
    }
    List<ManifestEntry> delta = new ArrayList<>();
    for (ManifestEntry live : now.entries()) {
      delta.add(
          new ManifestEntry(
              ManifestEntry.Kind.DELETE, live.bucket(), live.totalBuckets(), live.file()));
    }
    for (BucketChange change : changes) {
      for (DataFile file : change.added()) {
        delta.add(
            new ManifestEntry(
                ManifestEntry.Kind.ADD, change.bucket(), change.totalBuckets(), file));
      }
    }
    List<IndexEntry> index = index(now.index());
    new NextState(table, conflicts, State.empty(), changes).check(index);
    boolean sameIndex = index.equals(now.index());
    return delta.isEmpty() && sameIndex
        ? Optional.empty()
        : Optional.of(new Proposal(Snapshot.Kind.OVERWRITE, delta, sameIndex ? null : index));
  }

  /** Rows that others added meanwhile were not meant to be replaced. */
  private void check(State now, Snapshot latest) throws IOException {
    if (baseState == null) {
      baseState = conflicts.baseState(replaced);
    }
    for (BucketId bucket : now.buckets()) {
      if (!baseState.files(bucket).keySet().containsAll(now.files(bucket).keySet())) {
        throw conflicts.changed(bucket, latest);
      }
    }
  }

  /** Of the replaced partitions all index files go, whatever their kind. */
  private List<IndexEntry> index(List<IndexEntry> before) {
    List<IndexEntry> after = new ArrayList<>();
    for (IndexEntry entry : before) {
      if (!replaced.test(entry.bucket().partition())) {
        after.add(entry);
      }
    }
    for (BucketChange change : changes) {
      if (change.deletions() != null) {
        after.add(IndexEntry.of(change.bucket(), change.deletions()));
      }
    }
    return after;
  }
}
