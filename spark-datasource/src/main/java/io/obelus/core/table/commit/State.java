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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Some partitions of a table at one snapshot, as a commit looks at them. Postpone buckets, which
 * are not part of the table yet, are left out.
 *
 * @param files live entries by bucket, in the order of the manifests
 * @param index all index entries of the table, those of other partitions included
 */
record State(Map<BucketId, Map<FileIdentity, ManifestEntry>> files, List<IndexEntry> index) {

  private static final int POSTPONE = -2;

  /**
   * @param snapshot null if there is none
   */
  static State of(Table table, Snapshot snapshot, Predicate<RowBytes> partitions)
      throws IOException {
    LiveFiles live = new LiveFiles(table, snapshot);
    Map<BucketId, Map<FileIdentity, ManifestEntry>> files = new LinkedHashMap<>();
    for (ManifestEntry entry :
        live.entries(id -> id.bucket() != POSTPONE && partitions.test(id.partition()))) {
      files
          .computeIfAbsent(entry.bucket(), id -> new LinkedHashMap<>())
          .put(FileIdentity.of(entry), entry);
    }
    return new State(files, live.indexEntries());
  }

  /** Whether two snapshots are the same one; ids come back after a rollback. Null = none. */
  static boolean same(Snapshot left, Snapshot right) {
    if (left == null || right == null) {
      return left == right;
    }
    return left.id() == right.id()
        && Objects.equals(left.commitUser(), right.commitUser())
        && Objects.equals(left.deltaManifestList(), right.deltaManifestList());
  }

  Map<FileIdentity, ManifestEntry> files(BucketId bucket) {
    return files.getOrDefault(bucket, Map.of());
  }

  List<ManifestEntry> entries() {
    List<ManifestEntry> entries = new ArrayList<>();
    files.values().forEach(bucket -> entries.addAll(bucket.values()));
    return entries;
  }

  Set<IndexEntry> index(BucketId bucket) {
    Set<IndexEntry> entries = new HashSet<>();
    for (IndexEntry entry : index) {
      if (entry.bucket().equals(bucket)) {
        entries.add(entry);
      }
    }
    return entries;
  }
}
