package io.obelus.core.table.maintenance;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The files that snapshots refer to, as paths. Manifest lists and index manifests are read once
 * each. Not thread-safe.
 */
final class References {

  /** Size of a file of which the metadata do not tell. */
  static final long UNKNOWN_SIZE = 0;

  private final Table table;
  private final Manifests manifests;
  private final PartitionPath partitions;
  private final Map<String, List<ManifestFile>> lists = new HashMap<>();
  private final Map<String, List<IndexEntry>> indexes = new HashMap<>();

  References(Table table) {
    this.table = table;
    this.manifests = new Manifests(table.storage(), table.directory());
    this.partitions = new PartitionPath(table.schema());
  }

  /** Index files of a snapshot, with their sizes in bytes. */
  Map<String, Long> indexFiles(Snapshot snapshot) throws IOException {
    Map<String, Long> files = new LinkedHashMap<>();
    if (snapshot.indexManifest() != null) {
      for (IndexEntry entry : index(snapshot.indexManifest())) {
        files.put(path(entry), entry.fileSize());
      }
    }
    return files;
  }

  /** Manifests, index manifest, manifest lists and statistics: what refers before what is. */
  Set<String> metadata(Snapshot snapshot) throws IOException {
    Set<String> files = new LinkedHashSet<>();
    for (String list : lists(snapshot)) {
      for (ManifestFile manifest : list(list)) {
        files.add(table.directory().manifest(manifest.name()));
      }
    }
    for (String list : lists(snapshot)) {
      files.add(table.directory().manifest(list));
    }
    if (snapshot.indexManifest() != null) {
      files.add(table.directory().manifest(snapshot.indexManifest()));
    }
    if (snapshot.statistics() != null) {
      files.add(table.directory().statistics(snapshot.statistics()));
    }
    return files;
  }

  /** The names of a snapshot's manifest lists. */
  static List<String> lists(Snapshot snapshot) {
    List<String> lists = new ArrayList<>();
    lists.add(snapshot.baseManifestList());
    lists.add(snapshot.deltaManifestList());
    if (snapshot.changelogManifestList() != null) {
      lists.add(snapshot.changelogManifestList());
    }
    return lists;
  }

  /** The live data files of some buckets, and their extra files. */
  Set<String> dataFiles(Snapshot snapshot, Predicate<BucketId> wanted) throws IOException {
    Set<String> files = new HashSet<>();
    for (ManifestEntry entry : new LiveFiles(table, snapshot).entries(wanted)) {
      files.addAll(paths(entry).keySet());
    }
    return files;
  }

  /**
   * The data files of some buckets, and their extra files, that are live in any of the snapshots of
   * one history.
   *
   * @param history ascending
   */
  Set<String> dataFiles(List<Snapshot> history, Predicate<BucketId> wanted) throws IOException {
    Set<String> files = new HashSet<>();
    Snapshot before = null;
    for (Snapshot snapshot : history) {
      if (before == null || before.id() + 1 != snapshot.id()) {
        files.addAll(dataFiles(snapshot, wanted));
      } else {
        for (ManifestEntry entry : new LiveFiles(table, snapshot).changes(wanted)) {
          files.addAll(paths(entry).keySet()); // what it removed was live before
        }
      }
      before = snapshot;
    }
    return files;
  }

  /**
   * What a snapshot removed: data files and extra files that were live before it and are not in it.
   * A file that only changed its level, or got another index, is not among them.
   *
   * @param buckets gets the buckets that lost files
   */
  Map<String, Long> removed(Snapshot snapshot, Set<BucketId> buckets) throws IOException {
    Map<String, Long> removed = new LinkedHashMap<>();
    for (ManifestEntry entry : new LiveFiles(table, snapshot).changes(bucket -> true)) {
      if (entry.kind() == ManifestEntry.Kind.DELETE) {
        removed.putAll(paths(entry));
        buckets.add(entry.bucket());
      } else {
        removed.keySet().removeAll(paths(entry).keySet());
      }
    }
    return removed;
  }

  /** The changelog files that a snapshot added, with their sizes in bytes. */
  Map<String, Long> changelogFiles(Snapshot snapshot) throws IOException {
    Map<String, Long> files = new LinkedHashMap<>();
    if (snapshot.changelogManifestList() != null) {
      for (ManifestFile manifest : list(snapshot.changelogManifestList())) {
        manifests.read(manifest, bucket -> true, entry -> files.putAll(paths(entry)));
      }
    }
    return files;
  }

  /** The files that an entry speaks of: its data file and the extra files beside it. */
  Map<String, Long> paths(ManifestEntry entry) {
    DataFile file = entry.file();
    String directory =
        table
            .directory()
            .bucket(partitions.of(entry.bucket().partition()), entry.bucket().bucket());
    String path = file.path(directory);
    Map<String, Long> paths = new LinkedHashMap<>();
    paths.put(path, file.size());
    for (String extra : file.extraFiles()) {
      paths.put(path.substring(0, path.lastIndexOf('/') + 1) + extra, UNKNOWN_SIZE);
    }
    return paths;
  }

  private String path(IndexEntry entry) {
    return entry.externalPath() != null
        ? entry.externalPath()
        : table.directory().index(entry.fileName());
  }

  private List<ManifestFile> list(String name) throws IOException {
    List<ManifestFile> known = lists.get(name);
    if (known == null) {
      known = manifests.readList(name);
      lists.put(name, known);
    }
    return known;
  }

  private List<IndexEntry> index(String name) throws IOException {
    List<IndexEntry> known = indexes.get(name);
    if (known == null) {
      known = manifests.readIndex(name);
      indexes.put(name, known);
    }
    return known;
  }
}
