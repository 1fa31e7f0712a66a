package io.obelus.core.table.commit;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowComparator;
import io.obelus.core.table.manifest.FileIdentity;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The changed buckets as they will be, checked before anybody sees them. What fails here is a fault
 * of ours, and better an error than wrong rows; only the number of buckets is up to the user.
 */
final class NextState {

  private final Table table;
  private final Conflicts words;
  private final State before;
  private final List<BucketChange> changes;
  private final Map<BucketId, Map<FileIdentity, ManifestEntry>> files = new LinkedHashMap<>();

  /**
   * @param before the partitions of the changes, without what is to be replaced as a whole
   */
  NextState(Table table, Conflicts words, State before, List<BucketChange> changes) {
    this.table = table;
    this.words = words;
    this.before = before;
    this.changes = changes;
    for (BucketChange change : changes) {
      apply(
          files.computeIfAbsent(
              change.bucket(), bucket -> new LinkedHashMap<>(before.files(bucket))),
          change);
    }
  }

  private void apply(Map<FileIdentity, ManifestEntry> live, BucketChange change) {
    BucketId bucket = change.bucket();
    for (DataFile file : change.removed()) {
      if (live.remove(FileIdentity.of(bucket, file)) == null) {
        throw fault(bucket, "removes " + file.name() + ", which is not live");
      }
    }
    for (DataFile file : change.added()) {
      ManifestEntry entry =
          new ManifestEntry(ManifestEntry.Kind.ADD, bucket, change.totalBuckets(), file);
      if (live.put(FileIdentity.of(entry), entry) != null) {
        throw fault(bucket, "adds " + file.name() + ", which is live already");
      }
    }
  }

  /**
   * Checks files and bitmaps.
   *
   * @param index all index files of the next snapshot
   */
  void check(List<IndexEntry> index) throws IOException {
    checkTotalBuckets();
    Map<BucketId, List<IndexEntry>> deletions =
        index.stream()
            .filter(IndexEntry::isDeletionFile)
            .filter(entry -> files.containsKey(entry.bucket()))
            .collect(Collectors.groupingBy(IndexEntry::bucket));
    for (BucketId bucket : files.keySet()) {
      checkBitmaps(bucket, deletions.getOrDefault(bucket, List.of()));
    }
    if (table.schema().keyed()) {
      checkLevels();
    }
  }

  /** Reading prunes by the number of buckets, so a partition has one. */
  private void checkTotalBuckets() {
    Map<RowBytes, Integer> totals = new HashMap<>();
    for (ManifestEntry entry : before.entries()) {
      if (entry.totalBuckets() > 0) {
        totals.put(entry.bucket().partition(), entry.totalBuckets());
      }
    }
    for (BucketChange change : changes) {
      Integer total = totals.get(change.bucket().partition());
      if (total != null
          && change.totalBuckets() > 0
          && change.totalBuckets() != total
          && !change.added().isEmpty()) {
        throw new IllegalArgumentException(
            ("%s: the partition has files for %d buckets, but rows were spread over %d. "
                    + "Set option 'bucket' back, or replace the partition with INSERT OVERWRITE.")
                .formatted(words.name(change.bucket()), total, change.totalBuckets()));
      }
    }
  }

  /** On a level above 0 a key is in one file at most. */
  private void checkLevels() {
    for (BucketChange change : changes) {
      Set<Integer> levels =
          change.added().stream()
              .map(DataFile::level)
              .filter(level -> level > 0)
              .collect(Collectors.toSet());
      for (int level : levels) {
        checkLevel(
            change.bucket(),
            files.get(change.bucket()).values().stream()
                .map(ManifestEntry::file)
                .filter(file -> file.level() == level)
                .toList());
      }
    }
  }

  private record KeyRange(DataFile file, InternalRow min, InternalRow max) {}

  private void checkLevel(BucketId bucket, List<DataFile> level) {
    BinaryRows keys = new BinaryRows(table.schema().keyType());
    Comparator<InternalRow> order = RowComparator.of(table.schema().keyType());
    List<KeyRange> ranges =
        level.stream()
            .map(
                file ->
                    new KeyRange(
                        file, keys.read(file.minKey().bytes()), keys.read(file.maxKey().bytes())))
            .sorted(Comparator.comparing(KeyRange::min, order))
            .toList();
    for (int i = 0; i < ranges.size(); i++) {
      KeyRange range = ranges.get(i);
      if (order.compare(range.min(), range.max()) > 0) {
        throw fault(bucket, "adds " + range.file().name() + " with a first key above its last");
      }
      if (i > 0 && order.compare(ranges.get(i - 1).max(), range.min()) >= 0) {
        throw fault(
            bucket,
            "lets the keys of %s and %s overlap on level %d"
                .formatted(
                    ranges.get(i - 1).file().name(), range.file().name(), range.file().level()));
      }
    }
  }

  /**
   * Bitmaps name live files and no other, each once; a bitmap of a file that stays is neither
   * dropped nor shrunk.
   */
  private void checkBitmaps(BucketId bucket, List<IndexEntry> after) throws IOException {
    Set<IndexEntry> old =
        before.index(bucket).stream()
            .filter(IndexEntry::isDeletionFile)
            .collect(Collectors.toSet());
    Collection<ManifestEntry> entries = files.get(bucket).values();
    Set<String> live =
        entries.stream().map(entry -> entry.file().name()).collect(Collectors.toSet());
    Set<String> gone = new HashSet<>();
    before.files(bucket).values().forEach(entry -> gone.add(entry.file().name()));
    gone.removeAll(live);
    Map<String, Long> bitmaps = new HashMap<>(); // cardinality by data file, -1 = unknown
    if (gone.isEmpty() && old.equals(new HashSet<>(after))) {
      return;
    }
    for (IndexEntry entry : after) {
      boolean changed = !old.contains(entry);
      for (DeletionFile.Range range : ranges(entry)) {
        String file = range.dataFile();
        if (changed ? !live.contains(file) : gone.contains(file)) {
          throw fault(bucket, "has a bitmap of " + file + ", which is not live");
        }
        if (bitmaps.put(file, range.cardinality() == null ? -1 : range.cardinality()) != null) {
          throw fault(bucket, "has two bitmaps of " + file);
        }
      }
    }
    for (IndexEntry entry : old) {
      if (!after.contains(entry)) {
        checkKept(bucket, ranges(entry), live, bitmaps);
      }
    }
  }

  private void checkKept(
      BucketId bucket, List<DeletionFile.Range> old, Set<String> live, Map<String, Long> bitmaps) {
    for (DeletionFile.Range range : old) {
      if (!live.contains(range.dataFile())) {
        continue;
      }
      Long now = bitmaps.get(range.dataFile());
      if (now == null) {
        throw fault(bucket, "drops the bitmap of " + range.dataFile() + ", which is live");
      }
      if (range.cardinality() != null && now >= 0 && now < range.cardinality()) {
        throw fault(
            bucket,
            "brings back rows of %s: %d were struck out, now %d"
                .formatted(range.dataFile(), range.cardinality(), now));
      }
    }
  }

  /** Of a DELETE_MAP the directory is in the file, without cardinalities. */
  private List<DeletionFile.Range> ranges(IndexEntry entry) throws IOException {
    DeletionFile file = entry.deletionFile();
    if (!file.deleteMap()) {
      return file.ranges();
    }
    return table.deletionFiles().read(file).entrySet().stream()
        .map(
            bitmap ->
                new DeletionFile.Range(bitmap.getKey(), 0, 0, bitmap.getValue().cardinality()))
        .toList();
  }

  private IllegalStateException fault(BucketId bucket, String what) {
    return new IllegalStateException(
        words.name(bucket)
            + ": the commit "
            + what
            + ". Nothing of it was committed; please report it with this message.");
  }
}
