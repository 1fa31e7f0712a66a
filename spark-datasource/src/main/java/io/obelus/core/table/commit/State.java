package io.obelus.core.table.commit;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.manifest.FileIdentity;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Some partitions of a table at one snapshot, as a commit looks at them. Postpone buckets, which
 * are not part of the table yet, are left out.
 */
final class State {

  private static final int POSTPONE = -2;

  private final Map<BucketId, Map<FileIdentity, ManifestEntry>> files = new LinkedHashMap<>();
  private final List<IndexEntry> index;
  private final Map<BucketId, Set<IndexEntry>> indexByBucket = new HashMap<>();

  private State(List<ManifestEntry> entries, List<IndexEntry> index) {
    this.index = index;
    for (ManifestEntry entry : entries) {
      files
          .computeIfAbsent(entry.bucket(), id -> new LinkedHashMap<>())
          .put(FileIdentity.of(entry), entry);
    }
    for (IndexEntry entry : index) {
      indexByBucket.computeIfAbsent(entry.bucket(), id -> new HashSet<>()).add(entry);
    }
  }

  /** Nothing is there. */
  static State empty() {
    return new State(List.of(), List.of());
  }

  /**
   * @param snapshot null if there is none
   */
  static State of(Table table, Snapshot snapshot, Predicate<RowBytes> partitions)
      throws IOException {
    LiveFiles live = new LiveFiles(table, snapshot);
    return new State(
        live.entries(id -> id.bucket() != POSTPONE && partitions.test(id.partition())),
        live.indexEntries());
  }

  /** The buckets that have live files. */
  Set<BucketId> buckets() {
    return files.keySet();
  }

  /** Live entries of a bucket, in the order of the manifests. */
  Map<FileIdentity, ManifestEntry> files(BucketId bucket) {
    return files.getOrDefault(bucket, Map.of());
  }

  /** All live entries. */
  List<ManifestEntry> entries() {
    List<ManifestEntry> entries = new ArrayList<>();
    files.values().forEach(bucket -> entries.addAll(bucket.values()));
    return entries;
  }

  /** All index entries of the table, those of other partitions included. */
  List<IndexEntry> index() {
    return index;
  }

  Set<IndexEntry> index(BucketId bucket) {
    return indexByBucket.getOrDefault(bucket, Set.of());
  }
}
