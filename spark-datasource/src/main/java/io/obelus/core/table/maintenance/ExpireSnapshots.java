package io.obelus.core.table.maintenance;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deletes old snapshots and the files that nothing else needs (spec chapter 12).
 *
 * <p>Snapshot files go first, what they refer to afterwards. So whenever it is interrupted, each
 * snapshot and tag that is still there reads as before, and what is left behind is for {@link
 * RemoveOrphanFiles}. Several may run at once.
 *
 * <pre>
 *   look           which snapshots; what the removed, the kept one, tags and branches refer to
 *   snapshot-N     oldest first
 *   EARLIEST
 *   look again     a tag made meanwhile counts; one made later finds its snapshot gone and fails
 *   data files, index files, manifests, manifest lists, index manifests, statistics
 * </pre>
 */
public final class ExpireSnapshots {

  /**
   * Which snapshots are to go: the oldest ones, as long as {@code retainMin} stay, those beyond
   * {@code retainMax} in any case and of the others those that are older.
   *
   * @param olderThanMillis a snapshot of this time or later stays; since 1970
   * @param maxDeletes at most so many go at once
   */
  public record Rules(int retainMin, int retainMax, long olderThanMillis, int maxDeletes) {
    public Rules {
      if (retainMin < 1 || retainMax < retainMin || maxDeletes < 0) {
        throw new IllegalArgumentException(
            ("at least %d and at most %d snapshots are to be kept, and %d to be deleted at once;"
                    + " the first number should be at least 1, the second not below it, the third"
                    + " not negative")
                .formatted(retainMin, retainMax, maxDeletes));
      }
    }

    /** As the table's options say. */
    public static Rules of(TableOptions options, long nowMillis) {
      return new Rules(
          options.snapshotsRetainedMin(),
          options.snapshotsRetainedMax(),
          nowMillis - options.snapshotTimeRetained().toMillis(),
          options.snapshotExpireLimit());
    }
  }

  /**
   * What was done.
   *
   * @param snapshots numbers of those that are gone
   * @param dataFiles number of data files, with their extra files and changelog files
   * @param indexFiles number of deletion files and other files of {@code index/}
   * @param metadataFiles number of manifests, manifest lists, index manifests and statistics
   * @param bytes of data files and index files
   */
  public record Result(
      List<Long> snapshots, long dataFiles, long indexFiles, long metadataFiles, long bytes) {
    static final Result NOTHING = new Result(List.of(), 0, 0, 0, 0);

    public Result {
      snapshots = List.copyOf(snapshots);
    }
  }

  /**
   * Files that are gone since a snapshot.
   *
   * @param files with their sizes
   */
  private record Removed(long since, Map<String, Long> files) {}

  private final Table table;
  private final Snapshots snapshots;
  private final References references;

  /** Snapshots that go, ascending, and the first one that stays. */
  private final List<Snapshot> gone = new ArrayList<>();

  private Snapshot kept;

  private final List<Removed> removed = new ArrayList<>();
  private final Set<BucketId> buckets = new HashSet<>();
  private final Map<String, Long> changelogFiles = new LinkedHashMap<>();
  private final Map<String, Long> indexFiles = new LinkedHashMap<>();
  private final Set<String> metadata = new LinkedHashSet<>();

  /** Data files of tags and other histories, so far as they were asked for. */
  private final Map<List<Snapshot>, Set<String>> keptData = new HashMap<>();

  private ExpireSnapshots(Table table) {
    this.table = table;
    this.snapshots = table.snapshots();
    this.references = new References(table);
  }

  /**
   * Expires what the rules say.
   *
   * @param dryRun only say what would be done
   * @throws IllegalArgumentException if the table keeps changelogs longer than snapshots
   * @throws IOException if it was interrupted; the table reads as before
   */
  public static Result run(Table table, Rules rules, boolean dryRun) throws IOException {
    ExpireSnapshots expiry = new ExpireSnapshots(table);
    if (!expiry.choose(rules)) {
      return Result.NOTHING;
    }
    expiry.look();
    expiry.keepWhatIsNeeded();
    if (!dryRun) {
      expiry.delete();
    }
    return expiry.result();
  }

  /**
   * Expires what the table's options say, after a commit. Costs two small reads if there is nothing
   * to do.
   *
   * @param newest number of the newest snapshot
   */
  public static Result after(Table table, long newest, long nowMillis) throws IOException {
    Rules rules = Rules.of(table.options(), nowMillis);
    if (newest <= rules.retainMin()) {
      return Result.NOTHING;
    }
    Snapshot earliest = table.snapshots().earliest().orElse(null);
    boolean nothing =
        earliest == null
            || newest - earliest.id() < rules.retainMin()
            || (newest - earliest.id() < rules.retainMax()
                && earliest.timeMillis() >= rules.olderThanMillis());
    return nothing ? Result.NOTHING : run(table, rules, false);
  }

  /** Fills {@link #gone} and {@link #kept}; false if there is nothing to do. */
  private boolean choose(Rules rules) throws IOException {
    List<Long> ids = snapshots.ids();
    if (ids.isEmpty()) {
      return false;
    }
    long first = ids.get(0);
    long last = ids.get(ids.size() - 1);
    long end = Math.min(last - rules.retainMin() + 1, first + rules.maxDeletes());
    end = Math.min(end, table.consumers().next().orElse(end));
    for (long id : ids) {
      if (id >= end) {
        break;
      }
      Snapshot snapshot = snapshots.find(id).orElse(null);
      if (snapshot == null) {
        continue; // somebody else expires snapshots here
      }
      if (id > last - rules.retainMax() && snapshot.timeMillis() >= rules.olderThanMillis()) {
        break;
      }
      gone.add(snapshot);
    }
    if (gone.isEmpty()) {
      return false;
    }
    table.options().checkExpirable();
    long newestGone = gone.get(gone.size() - 1).id();
    kept = snapshots.get(ids.stream().filter(id -> id > newestGone).findFirst().orElseThrow());
    return true;
  }

  /** Finds out what goes if nothing else needs it. */
  private void look() throws IOException {
    look(kept);
    for (int i = gone.size() - 1; i >= 0; i--) {
      Snapshot snapshot = gone.get(i);
      Snapshot next = i + 1 < gone.size() ? gone.get(i + 1) : kept;
      if (snapshot.id() + 1 != next.id()) {
        break; // below a gap there may be another history: its files are left to orphan cleaning
      }
      if (i > 0) { // what the oldest one removed, it does not have
        look(snapshot);
      }
    }
    for (Snapshot snapshot : gone) {
      try {
        changelogFiles.putAll(references.changelogFiles(snapshot));
        indexFiles.putAll(references.indexFiles(snapshot));
        metadata.addAll(references.metadata(snapshot));
      } catch (FileNotFoundException | CorruptFileException e) {
        continue; // what is left of it is left to orphan cleaning
      }
    }
    indexFiles.keySet().removeAll(references.indexFiles(kept).keySet());
    metadata.removeAll(references.metadata(kept));
  }

  private void look(Snapshot snapshot) throws IOException {
    try {
      Map<String, Long> files = references.removed(snapshot, buckets);
      if (!files.isEmpty()) {
        removed.add(new Removed(snapshot.id(), files));
      }
    } catch (FileNotFoundException | CorruptFileException e) {
      if (snapshot == kept) {
        throw e;
      }
    }
  }

  /** Takes off the lists what tags and branches need by now. */
  private void keepWhatIsNeeded() throws IOException {
    Map<Long, Snapshot> known = new HashMap<>();
    gone.forEach(snapshot -> known.put(snapshot.id(), snapshot));
    known.put(kept.id(), kept);
    Keepers keepers = Keepers.of(table, known);
    for (Removed each : removed) {
      for (Snapshot keeper : keepers.below(each.since())) {
        each.files().keySet().removeAll(keptData(List.of(keeper)));
      }
      for (List<Snapshot> history : keepers.others()) {
        each.files().keySet().removeAll(keptData(history));
      }
    }
    List<Snapshot> all = new ArrayList<>(keepers.between(gone.get(0).id(), kept.id()));
    keepers.others().forEach(all::addAll);
    for (Snapshot keeper : all) {
      indexFiles.keySet().removeAll(references.indexFiles(keeper).keySet());
      metadata.removeAll(references.metadata(keeper));
    }
  }

  private Set<String> keptData(List<Snapshot> history) throws IOException {
    Set<String> kept = keptData.get(history);
    if (kept == null) {
      kept = references.dataFiles(history, buckets::contains);
      keptData.put(history, kept);
    }
    return kept;
  }

  private void delete() throws IOException {
    if (!Snapshot.same(kept, snapshots.find(kept.id()).orElse(null))) {
      throw new IOException(
          "snapshot %d of %s was rolled back while older ones were to expire; nothing was deleted"
              .formatted(kept.id(), table.name()));
    }
    for (Snapshot snapshot : gone) {
      snapshots.delete(snapshot.id());
    }
    snapshots.setEarliest(kept.id());
    keepWhatIsNeeded();
    for (Removed each : removed) {
      delete(each.files().keySet());
    }
    delete(changelogFiles.keySet());
    delete(indexFiles.keySet());
    delete(metadata);
  }

  private void delete(Iterable<String> files) throws IOException {
    for (String file : files) {
      table.storage().delete(file);
    }
  }

  private Result result() {
    long files = changelogFiles.size();
    long bytes = bytes(changelogFiles) + bytes(indexFiles);
    for (Removed each : removed) {
      files += each.files().size();
      bytes += bytes(each.files());
    }
    return new Result(
        gone.stream().map(Snapshot::id).toList(), files, indexFiles.size(), metadata.size(), bytes);
  }

  private static long bytes(Map<String, Long> files) {
    return files.values().stream().mapToLong(Long::longValue).sum();
  }
}
