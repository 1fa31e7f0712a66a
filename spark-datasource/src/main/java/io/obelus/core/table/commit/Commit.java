package io.obelus.core.table.commit;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.ManifestWriter;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableStatistics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * From bucket changes to the next snapshot (spec chapter 11): all of them become visible together,
 * or none.
 *
 * <p>One object makes one commit. It knows how that ended, so that {@link #abort} never deletes
 * files which a snapshot refers to, or may refer to. Not thread-safe.
 *
 * <pre>
 *   look at the latest snapshot, check that the changes fit
 *   write manifests, lists, index manifest     visible to nobody
 *   create snapshot-N if absent                the one step
 *      created          write hint LATEST
 *      lost the race    delete the manifests, wait, look again
 *      it failed        try the same file again: it is there, or somebody else's is, or not
 * </pre>
 */
public final class Commit {

  /** What is known about the snapshot of this commit. */
  private enum Outcome {
    ABSENT,
    PRESENT,
    UNKNOWN
  }

  private static final String LASTING = "obelus.";

  private final Table table;
  private final Snapshot base;
  private final Map<String, String> properties;
  private final Backoff backoff;
  private final String user;
  private final ManifestWriter manifests;
  private Outcome outcome = Outcome.ABSENT;
  private long begun;

  /**
   * @param base snapshot that the changes were made from; null if the table had none
   */
  public Commit(Table table, Snapshot base) {
    this(table, base, Map.of(), Backoff.of(table.options()));
  }

  Commit(Table table, Snapshot base, Map<String, String> properties, Backoff backoff) {
    this.table = table;
    this.base = base;
    this.properties = Map.copyOf(properties);
    this.backoff = backoff;
    String prefix = table.options().commitUserPrefix();
    this.user = (prefix.isEmpty() ? "" : prefix + "_") + UUID.randomUUID();
    this.manifests =
        new ManifestWriter(new Manifests(table.storage(), table.directory()), table.schema());
  }

  /**
   * The same commit with properties that its snapshot will carry. Those whose names begin with
   * {@code obelus.} last: the snapshots after it carry them too, until they are set anew.
   */
  public Commit withProperties(Map<String, String> properties) {
    return new Commit(table, base, properties, backoff);
  }

  /**
   * Commits changes of rows or compactions.
   *
   * @return the new snapshot; empty if there was nothing to commit
   * @throws CommitConflictException if another commit changed one of the same buckets; what the
   *     changes wrote is deleted
   * @throws IllegalStateException if it is unknown whether the snapshot was created, which the
   *     message says; nothing is deleted then. Also for changes that would break the table, before
   *     anybody sees them
   */
  public Optional<Snapshot> commit(Collection<BucketChange> changes) throws IOException {
    List<BucketChange> work = notEmpty(changes);
    return work.isEmpty()
        ? Optional.empty()
        : run(() -> new ChangePlan(table, base, work), changes);
  }

  /**
   * Replaces whole partitions: all their files and bitmaps go, the added files of {@code changes}
   * come. Fails as {@link #commit} does; a conflict is a file that somebody else added to one of
   * these partitions.
   *
   * @param changes made as for empty buckets
   * @param replaced which partitions; those of {@code changes} must be among them
   */
  public Optional<Snapshot> overwrite(List<BucketChange> changes, Predicate<RowBytes> replaced)
      throws IOException {
    return run(() -> new OverwritePlan(table, base, notEmpty(changes), replaced), changes);
  }

  /**
   * Commits nothing but what merging its manifests makes of the newest snapshot.
   *
   * @return empty if the table has no snapshot
   */
  public Optional<Snapshot> mergeManifests() throws IOException {
    Proposal nothing = new Proposal(Snapshot.Kind.COMPACT, List.of(), null);
    return run(() -> latest -> Optional.ofNullable(latest).map(any -> nothing), List.of());
  }

  /**
   * Commits nothing but statistics. Other commits are in nobody's way: statistics are about the
   * snapshot that they name, whichever is the newest.
   *
   * @return empty if the table has no snapshot
   * @throws CommitConflictException if the columns are not those of the statistics any more
   */
  public Optional<Snapshot> statistics(TableStatistics statistics) throws IOException {
    String file = table.statisticsFiles().write(statistics);
    Proposal only = new Proposal(Snapshot.Kind.ANALYZE, List.of(), null, file);
    try {
      return run(
          () ->
              latest -> {
                checkColumns(statistics);
                return Optional.ofNullable(latest).map(any -> only);
              },
          List.of());
    } finally {
      if (outcome == Outcome.ABSENT) {
        delete(table.directory().statistics(file));
      }
    }
  }

  private void checkColumns(TableStatistics statistics) throws IOException {
    long schemaId = schemaId();
    if (statistics.schemaId() != schemaId) {
      throw new CommitConflictException(
          ("table %s: its columns were changed meanwhile: statistics are of schema %d, but now it "
                  + "has schema %d. Nothing was committed; run ANALYZE TABLE again.")
              .formatted(table.name(), statistics.schemaId(), schemaId));
    }
  }

  /** Of the newest schema, which is the one that a snapshot names. */
  private long schemaId() throws IOException {
    return table.schemas().latest().map(TableSchema::id).orElse(table.schema().id());
  }

  /**
   * Deletes what changes wrote that will not be committed. Never throws for a file that is gone.
   * Does nothing once the changes are committed, or may be.
   */
  public void abort(Collection<BucketChange> changes) {
    if (outcome != Outcome.ABSENT) {
      return;
    }
    for (BucketChange change : changes) {
      change.written().forEach(this::delete);
      if (change.deletions() != null) {
        String path = change.deletions().path();
        delete(path != null ? path : table.directory().index(change.deletions().name()));
      }
    }
  }

  private void delete(String path) {
    try {
      table.storage().delete(path);
    } catch (IOException | RuntimeException e) {
      // An orphan stays; why the commit was given up matters more.
    }
  }

  private static List<BucketChange> notEmpty(Collection<BucketChange> changes) {
    return changes.stream().filter(change -> !change.isEmpty()).toList();
  }

  private interface Planning {
    Plan begin();
  }

  private Optional<Snapshot> run(Planning planning, Collection<BucketChange> changes)
      throws IOException {
    if (outcome != Outcome.ABSENT) {
      throw new IllegalStateException("this commit was made already; take a new one");
    }
    begun = System.nanoTime();
    try {
      Plan plan = planning.begin();
      for (int retry = 0; ; retry++) {
        checkSchema();
        Snapshot latest = table.snapshots().latest().orElse(null);
        Optional<Proposal> proposal = plan.after(latest);
        if (proposal.isEmpty()) {
          return Optional.empty();
        }
        Snapshot next = write(latest, proposal.get());
        boolean claimed = claim(next);
        if (claimed && !follows(next, latest)) {
          withdraw(next);
          claimed = false;
        }
        if (claimed) {
          table.snapshots().hintLatest(next.id());
          return Optional.of(next);
        }
        manifests.deleteWritten();
        if (isLast(retry)) {
          throw new CommitConflictException(
              ("table %s: %d times another commit was faster, at last with snapshot %d. "
                      + "Nothing of this one was committed; run the statement again, or raise "
                      + "option 'commit.max-retries'.")
                  .formatted(table.name(), retry + 1, next.id()));
        }
        pause(retry);
      }
    } catch (IOException | RuntimeException e) {
      if (outcome == Outcome.ABSENT) {
        manifests.deleteWritten();
        abort(changes);
      }
      throw e;
    }
  }

  /** Data files name the schema they were written with; under its id must be no other. */
  private void checkSchema() throws IOException {
    if (!table.schemas().has(table.schema())) {
      throw new CommitConflictException(
          ("table %s: its columns or keys are no longer those of schema %d that this statement"
                  + " began with; the table was created again or went forward to a branch. Nothing"
                  + " of it was committed; run it again.")
              .formatted(table.name(), table.schema().id()));
    }
  }

  /** Writes all that the snapshot will refer to. */
  private Snapshot write(Snapshot latest, Proposal proposal) throws IOException {
    List<ManifestFile> before = new LiveFiles(table, latest).manifestFiles();
    ManifestWriter.ManifestList baseList = manifests.writeList(manifests.merge(before));
    ManifestWriter.ManifestList deltaList = manifests.writeList(manifests.write(proposal.delta()));
    long schemaId = schemaId();
    return new Snapshot(
        Snapshot.WRITTEN_VERSION,
        latest == null ? 1 : latest.id() + 1,
        schemaId,
        baseList.name(),
        baseList.size(),
        deltaList.name(),
        deltaList.size(),
        null,
        null,
        index(latest, proposal),
        user,
        Snapshot.BATCH_IDENTIFIER,
        proposal.kind(),
        System.currentTimeMillis(),
        rows(latest) + proposal.rows(),
        proposal.rows(),
        0L,
        latest == null ? null : latest.watermark(),
        statistics(latest, schemaId, proposal),
        properties(latest),
        latest == null || latest.nextRowId() == null ? 0L : latest.nextRowId());
  }

  private Map<String, String> properties(Snapshot latest) {
    Map<String, String> all = new TreeMap<>();
    if (latest != null) {
      latest
          .properties()
          .forEach(
              (name, value) -> {
                if (name.startsWith(LASTING)) {
                  all.put(name, value);
                }
              });
    }
    all.putAll(properties);
    return all;
  }

  /** Statistics hold for as long as the columns are the same. */
  private static String statistics(Snapshot latest, long schemaId, Proposal proposal) {
    if (proposal.statistics() != null) {
      return proposal.statistics();
    }
    return latest == null || latest.schemaId() != schemaId ? null : latest.statistics();
  }

  /** The name of the next index manifest; null if there is no index file. */
  private String index(Snapshot latest, Proposal proposal) throws IOException {
    if (proposal.index() == null) {
      return latest == null ? null : latest.indexManifest();
    }
    return proposal.index().isEmpty() ? null : manifests.writeIndex(proposal.index());
  }

  /** Rows of all files; snapshots of very old writers do not have the sum. */
  private long rows(Snapshot latest) throws IOException {
    if (latest == null) {
      return 0;
    }
    if (latest.totalRecordCount() != null) {
      return latest.totalRecordCount();
    }
    long rows = 0;
    for (ManifestEntry entry : new LiveFiles(table, latest).entries(bucket -> true)) {
      rows += entry.file().rowCount();
    }
    return rows;
  }

  /**
   * Creates the snapshot; false if somebody else has its id. Where creation fails the same file is
   * created again: whatever comes out, it is this snapshot or another one, never both.
   */
  private boolean claim(Snapshot next) {
    Snapshots snapshots = table.snapshots();
    outcome = Outcome.UNKNOWN;
    try {
      boolean created = insist(next, () -> snapshots.create(next));
      // Not created: perhaps because a try of ours that seemed to fail did not.
      outcome =
          created || Snapshot.same(next, insist(next, () -> snapshots.get(next.id())))
              ? Outcome.PRESENT
              : Outcome.ABSENT;
      return outcome == Outcome.PRESENT;
    } catch (UnsupportedOperationException e) {
      outcome = Outcome.ABSENT; // this storage never creates one
      throw e;
    }
  }

  /**
   * Whether the snapshot stands right after the one it was built on. Expiry and rollback free ids:
   * a slow commit may have claimed one that the table is past, or above a gap, where nobody looks
   * for the newest snapshot.
   */
  private boolean follows(Snapshot next, Snapshot latest) {
    Snapshots snapshots = table.snapshots();
    try {
      Optional<Snapshot> before = latest == null ? Optional.empty() : snapshots.find(latest.id());
      if (before.isPresent()) {
        return Snapshot.same(before.get(), latest);
      }
      // Alone and first it may be: then what it was built on has expired since.
      List<Long> ids = snapshots.ids();
      return ids.get(0) == next.id() && ids.get(ids.size() - 1) == next.id() + ids.size() - 1;
    } catch (IOException | RuntimeException e) {
      return true; // it was created; what else could be said of it?
    }
  }

  /** Takes back a snapshot that nobody takes for the newest. */
  private void withdraw(Snapshot next) {
    outcome = Outcome.UNKNOWN;
    insist(next, () -> table.snapshots().delete(next.id()));
    outcome = Outcome.ABSENT;
  }

  private interface Attempt<T> {
    T run() throws IOException;
  }

  private <T> T insist(Snapshot next, Attempt<T> attempt) {
    for (int retry = 0; ; retry++) {
      try {
        return attempt.run();
      } catch (UnsupportedOperationException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        if (isLast(retry)) {
          throw unknown(next, e);
        }
      }
      try {
        pause(retry);
      } catch (InterruptedIOException e) {
        throw unknown(next, e);
      }
    }
  }

  private IllegalStateException unknown(Snapshot next, Exception cause) {
    return new IllegalStateException(
        ("table %s: it is unknown whether snapshot %d was created, because of: %s. Nothing "
                + "was deleted. The commit is done if that snapshot exists with commitUser %s; "
                + "else run the statement again.")
            .formatted(table.name(), next.id(), cause.getMessage(), user),
        cause);
  }

  private boolean isLast(int retry) {
    Optional<Duration> timeout = table.options().commitTimeout();
    return retry >= table.options().commitMaxRetries()
        || (timeout.isPresent() && System.nanoTime() - begun > timeout.get().toNanos());
  }

  private void pause(int retry) throws InterruptedIOException {
    try {
      backoff.pause(retry);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "table %s: the commit was interrupted while it waited to try again"
              .formatted(table.name()));
    }
  }
}
