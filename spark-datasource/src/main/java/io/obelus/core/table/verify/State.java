package io.obelus.core.table.verify;

import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.util.List;

/**
 * What a snapshot consists of, as far as it can be read.
 *
 * @param live entries of data files, all of kind ADD, postpone buckets included
 * @param before entries that were live before the snapshot's own changes; null if unknown
 * @param changes the snapshot's own entries, ADD and DELETE
 * @param complete whether all manifests could be read
 * @param sizes of files, shared by all checks
 */
record State(
    Table table,
    Snapshot snapshot,
    List<ManifestEntry> live,
    List<ManifestEntry> before,
    List<ManifestEntry> changes,
    List<IndexEntry> index,
    boolean complete,
    Places places,
    FileSizes sizes) {

  static long rows(List<ManifestEntry> entries) {
    return entries.stream()
        .mapToLong(
            entry ->
                entry.kind() == ManifestEntry.Kind.ADD
                    ? entry.file().rowCount()
                    : -entry.file().rowCount())
        .sum();
  }
}
