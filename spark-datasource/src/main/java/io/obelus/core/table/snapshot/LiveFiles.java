package io.obelus.core.table.snapshot;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.manifest.FileIdentity;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.schema.PartitionPath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The files that make up a table at one snapshot: manifests replayed, deletion files joined (spec
 * chapters 03 and 04). Thread-safe.
 *
 * @param snapshot null if the table has none: nothing is live
 */
public record LiveFiles(Table table, Snapshot snapshot) implements Serializable {

  private static final int POSTPONE = -2;

  /** More buckets than that are not tried one by one to rule out a manifest. */
  private static final int BUCKETS_TRIED = 1024;

  /**
   * State of the buckets that are wanted and not empty. Postpone buckets are not part of the table
   * yet and never among them.
   *
   * @param wanted called with each bucket that has an entry, and with others; manifests whose
   *     statistics rule it out are not read
   */
  public List<BucketState> buckets(Predicate<BucketId> wanted) throws IOException {
    return buckets(wanted, manifest -> true);
  }

  /**
   * As above, for a caller who can tell from the statistics of a manifest that it holds no bucket
   * that is wanted.
   *
   * @param promising false if the manifest need not be read; it must have no entry of a wanted
   *     bucket
   */
  public List<BucketState> buckets(Predicate<BucketId> wanted, Predicate<ManifestFile> promising)
      throws IOException {
    Map<BucketId, List<ManifestEntry>> buckets = new LinkedHashMap<>();
    for (ManifestEntry entry :
        entries(id -> id.bucket() != POSTPONE && wanted.test(id), promising)) {
      buckets.computeIfAbsent(entry.bucket(), id -> new ArrayList<>()).add(entry);
    }
    Map<BucketId, List<IndexEntry>> deletions = new HashMap<>();
    for (IndexEntry entry : indexEntries()) {
      if (entry.isDeletionFile() && buckets.containsKey(entry.bucket())) {
        deletions.computeIfAbsent(entry.bucket(), id -> new ArrayList<>()).add(entry);
      }
    }
    PartitionPath partitions = new PartitionPath(table.schema());
    List<BucketState> states = new ArrayList<>(buckets.size());
    buckets.forEach(
        (id, entries) ->
            states.add(state(id, entries, deletions.getOrDefault(id, List.of()), partitions)));
    return states;
  }

  /**
   * The live entries of wanted buckets, postpone buckets included, in the order of the manifests:
   * all of kind ADD.
   */
  public List<ManifestEntry> entries(Predicate<BucketId> wanted) throws IOException {
    return entries(wanted, manifest -> true);
  }

  /** What this snapshot changed, in order: its own entries of wanted buckets, ADD and DELETE. */
  public List<ManifestEntry> changes(Predicate<BucketId> wanted) throws IOException {
    List<ManifestEntry> entries = new ArrayList<>();
    for (ManifestFile manifest : deltaManifests()) {
      read(manifest, wanted, entries::add);
    }
    return entries;
  }

  /** All manifests of the snapshot in the order in which they are replayed. */
  public List<ManifestFile> manifestFiles() throws IOException {
    if (snapshot == null) {
      return List.of();
    }
    List<ManifestFile> all =
        new ArrayList<>(list(snapshot.baseManifestList(), snapshot.baseManifestListSize()));
    all.addAll(deltaManifests());
    return all;
  }

  /** All lines of the index manifest, HASH files and unknown kinds included. */
  public List<IndexEntry> indexEntries() throws IOException {
    return snapshot == null || snapshot.indexManifest() == null
        ? List.of()
        : read(manifests -> manifests.readIndex(snapshot.indexManifest()));
  }

  private List<ManifestFile> list(String name, Long size) throws IOException {
    return read(manifests -> manifests.readList(name, size));
  }

  private void read(
      ManifestFile manifest, Predicate<BucketId> wanted, Consumer<ManifestEntry> entries)
      throws IOException {
    read(
        manifests -> {
          manifests.read(manifest, wanted, entries);
          return null;
        });
  }

  @FunctionalInterface
  private interface Reading<T> {
    T from(Manifests manifests) throws IOException;
  }

  /** Reads metadata of the snapshot, which may expire while that is done. */
  private <T> T read(Reading<T> reading) throws IOException {
    try {
      return reading.from(new Manifests(table.storage(), table.directory()));
    } catch (FileNotFoundException e) {
      if (table.snapshots().find(snapshot.id()).isPresent()) {
        throw e;
      }
      FileNotFoundException expired =
          new FileNotFoundException(
              "%s: snapshot %d has expired since this began (%s). Run the statement again; 'snapshot.time-retained' and 'snapshot.num-retained.min' keep snapshots longer"
                  .formatted(table.name(), snapshot.id(), e.getMessage()));
      expired.initCause(e);
      throw expired;
    }
  }

  private List<ManifestFile> deltaManifests() throws IOException {
    return snapshot == null
        ? List.of()
        : list(snapshot.deltaManifestList(), snapshot.deltaManifestListSize());
  }

  private List<ManifestEntry> entries(Predicate<BucketId> wanted, Predicate<ManifestFile> promising)
      throws IOException {
    Map<BucketId, Boolean> answers = new HashMap<>();
    Predicate<BucketId> remembered = id -> answers.computeIfAbsent(id, wanted::test);
    Map<FileIdentity, ManifestEntry> live = new LinkedHashMap<>();
    for (ManifestFile manifest : manifestFiles()) {
      if (promising.test(manifest) && mayHold(manifest, remembered)) {
        Place place = Place.startOf(table.directory().manifest(manifest.name()));
        read(manifest, remembered, entry -> replay(live, entry, place));
      }
    }
    return List.copyOf(live.values());
  }

  private static void replay(
      Map<FileIdentity, ManifestEntry> live, ManifestEntry entry, Place place) {
    FileIdentity identity = FileIdentity.of(entry);
    boolean adds = entry.kind() == ManifestEntry.Kind.ADD;
    if (adds && live.putIfAbsent(identity, entry) != null) {
      throw new CorruptFileException(place, "adds " + entry.file().name() + ", which is there");
    }
    if (!adds && live.remove(identity) == null) {
      throw new CorruptFileException(
          place, "deletes " + entry.file().name() + ", which is not there");
    }
  }

  /**
   * Whether a manifest may have entries of wanted buckets. Its statistics tell for certain which
   * partition it is about only if there is just one.
   */
  private boolean mayHold(ManifestFile manifest, Predicate<BucketId> wanted) {
    RowBytes partition = onlyPartition(manifest.partitionStats());
    if (partition == null
        || manifest.minBucket() == null
        || manifest.maxBucket() == null
        || (long) manifest.maxBucket() - manifest.minBucket() >= BUCKETS_TRIED) {
      return true;
    }
    return IntStream.rangeClosed(manifest.minBucket(), manifest.maxBucket())
        .anyMatch(bucket -> wanted.test(new BucketId(partition, bucket)));
  }

  private RowBytes onlyPartition(ColumnStats stats) {
    int columns = table.schema().partitionKeys().size();
    if (columns == 0) {
      return RowBytes.EMPTY;
    }
    boolean withoutNulls =
        stats.nullCounts().length == columns
            && Arrays.stream(stats.nullCounts()).allMatch(count -> Objects.equals(count, 0L));
    return withoutNulls && stats.min().equals(stats.max()) && !hasNulls(stats.min(), columns)
        ? stats.min()
        : null;
  }

  /** Whether a row has a null: here it would mean that a column's minimum is unknown. */
  private static boolean hasNulls(RowBytes row, int columns) {
    for (int bit = 8; bit < 8 + columns; bit++) { // after the byte of the row's kind
      int at = Integer.BYTES + bit / 8; // after the arity
      if (at >= row.bytes().length || (row.bytes()[at] >> bit % 8 & 1) != 0) {
        return true;
      }
    }
    return false;
  }

  private BucketState state(
      BucketId id,
      List<ManifestEntry> entries,
      List<IndexEntry> deletions,
      PartitionPath partitions) {
    String directory = table.directory().bucket(partitions.of(id.partition()), id.bucket());
    int totalBuckets = entries.get(entries.size() - 1).totalBuckets();
    check(id, deletions, table.schema().keyed() || totalBuckets > 0);
    List<DataFile> files = entries.stream().map(ManifestEntry::file).toList();
    return new BucketState(
        id,
        directory,
        totalBuckets,
        files,
        deletions.stream().map(IndexEntry::deletionFile).toList());
  }

  /** A bitmap that is not there, or there twice, would give wrong rows. */
  private void check(BucketId id, Collection<IndexEntry> deletions, boolean single) {
    if (single && deletions.size() > 1) {
      throw corruptIndex(
          "%d deletion files of bucket %s, one expected".formatted(deletions.size(), id.bucket()));
    }
    Set<String> names = new HashSet<>();
    for (IndexEntry entry : deletions) {
      if (entry.type().equals(IndexEntry.DELETION_VECTORS)
          && (entry.ranges() == null || entry.ranges().size() != entry.rowCount())) {
        throw corruptIndex(
            "%s should have %d ranges but has %s"
                .formatted(
                    entry.fileName(),
                    entry.rowCount(),
                    entry.ranges() == null ? "none" : entry.ranges().size()));
      }
      for (DeletionFile.Range range : entry.deletionFile().ranges()) {
        if (!names.add(range.dataFile())) {
          throw corruptIndex("two bitmaps of data file " + range.dataFile());
        }
      }
    }
  }

  private CorruptFileException corruptIndex(String problem) {
    return new CorruptFileException(
        Place.startOf(table.directory().manifest(snapshot.indexManifest())), problem);
  }
}
