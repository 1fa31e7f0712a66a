package io.obelus.core.table.commit;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Changes of buckets, each made from the bucket as it was at the base snapshot. */
final class ChangePlan implements Plan {

  private final Table table;
  private final Snapshot base;
  private final List<BucketChange> changes;
  private final Set<RowBytes> partitions;
  private final Conflicts conflicts;
  private State baseState;

  /**
   * @param changes none of them empty
   */
  ChangePlan(Table table, Snapshot base, List<BucketChange> changes) {
    this.table = table;
    this.base = base;
    this.changes = changes;
    this.partitions =
        changes.stream().map(change -> change.bucket().partition()).collect(Collectors.toSet());
    this.conflicts = new Conflicts(table, base);
    checkColumns();
    Set<BucketId> seen = new HashSet<>();
    for (BucketChange change : changes) {
      boolean single = table.schema().keyed() || (changesDeletions(change) && !isUnaware(change));
      if (single && !seen.add(change.bucket())) {
        throw new IllegalArgumentException(
            "two changes of " + conflicts.name(change.bucket()) + "; one commit takes one of each");
      }
    }
  }

  /**
   * Refuses to rewrite, by older columns, rows that may have newer ones: their values would be
   * lost. Rows that are only added are what their writer knew.
   */
  private void checkColumns() {
    boolean older = base != null && base.schemaId() > table.schema().id();
    boolean onlyMore = !table.schema().keyed() && changes.stream().allMatch(ChangePlan::onlyAdds);
    if (older
        && !onlyMore
        && !table.schemas().get(base.schemaId()).rowType().equals(table.schema().rowType())) {
      throw new CommitConflictException(
          ("table %s: its columns were changed (schema %d) after this statement had read them "
                  + "(schema %d). Nothing of it was committed; run it again.")
              .formatted(table.name(), base.schemaId(), table.schema().id()));
    }
  }

  @Override
  public Optional<Proposal> after(Snapshot latest) throws IOException {
    List<ManifestEntry> delta = new ArrayList<>();
    for (BucketChange change : changes) {
      change.removed().forEach(file -> delta.add(entry(ManifestEntry.Kind.DELETE, change, file)));
      change.added().forEach(file -> delta.add(entry(ManifestEntry.Kind.ADD, change, file)));
    }
    if (changes.stream().allMatch(this::onlyAddsToUnawareBucket)) {
      return Optional.of(new Proposal(kind(), delta, null)); // it fits to whatever is there
    }
    State now = State.of(table, latest, partitions::contains);
    if (!Snapshot.same(base, latest)) {
      check(now, latest);
    }
    List<IndexEntry> index = changesIndex() ? index(now.index()) : null;
    new NextState(table, conflicts, now, changes).check(index == null ? now.index() : index);
    return Optional.of(new Proposal(kind(), delta, index));
  }

  private static ManifestEntry entry(ManifestEntry.Kind kind, BucketChange change, DataFile file) {
    return new ManifestEntry(kind, change.bucket(), change.totalBuckets(), file);
  }

  private boolean isUnaware(BucketChange change) {
    return !table.schema().keyed() && change.totalBuckets() == -1;
  }

  private static boolean changesDeletions(BucketChange change) {
    return change.deletions() != null || !change.removedDeletions().isEmpty();
  }

  private static boolean onlyAdds(BucketChange change) {
    return change.removed().isEmpty() && !changesDeletions(change);
  }

  private boolean onlyAddsToUnawareBucket(BucketChange change) {
    return isUnaware(change) && onlyAdds(change);
  }

  private boolean changesIndex() {
    return changes.stream().anyMatch(ChangePlan::changesDeletions);
  }

  private Snapshot.Kind kind() {
    if (changes.stream().noneMatch(BucketChange::logical)) {
      return Snapshot.Kind.COMPACT;
    }
    return changes.stream().allMatch(ChangePlan::onlyAdds)
        ? Snapshot.Kind.APPEND
        : Snapshot.Kind.OVERWRITE;
  }

  /** Whether others have left alone what the changes were made from. */
  private void check(State now, Snapshot latest) throws IOException {
    if (baseState == null) {
      baseState = conflicts.baseState(partitions::contains);
    }
    for (BucketChange change : changes) {
      if (!table.schema().keyed() && onlyAdds(change)) {
        continue; // rows without a key have nothing to collide with
      }
      BucketId bucket = change.bucket();
      Set<?> before = baseState.files(bucket).keySet();
      Set<?> after = now.files(bucket).keySet();
      // What others append where rows have no key is new to us but takes nothing from us.
      boolean sameFiles = table.schema().keyed() ? after.equals(before) : after.containsAll(before);
      if (!sameFiles || !baseState.index(bucket).equals(now.index(bucket))) {
        throw conflicts.changed(bucket, latest);
      }
    }
  }

  /** The complete set of index files: what is there, with the changed buckets' files exchanged. */
  private List<IndexEntry> index(List<IndexEntry> before) {
    Set<BucketId> wholeBuckets = new HashSet<>();
    Set<String> singleFiles = new HashSet<>(); // of unaware buckets
    List<IndexEntry> added = new ArrayList<>();
    for (BucketChange change : changes) {
      if (isUnaware(change)) {
        singleFiles.addAll(change.removedDeletions());
      } else if (changesDeletions(change)) {
        wholeBuckets.add(change.bucket());
      }
      if (change.deletions() != null) {
        added.add(IndexEntry.of(change.bucket(), change.deletions()));
      }
    }
    List<IndexEntry> after = new ArrayList<>();
    for (IndexEntry entry : before) {
      boolean replaced =
          entry.isDeletionFile()
              && (wholeBuckets.contains(entry.bucket()) || singleFiles.contains(entry.fileName()));
      if (!replaced) {
        after.add(entry);
      }
    }
    after.addAll(added);
    return after;
  }
}
