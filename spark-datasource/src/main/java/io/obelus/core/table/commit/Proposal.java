package io.obelus.core.table.commit;

import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.Snapshot;
import java.util.List;

/**
 * What the next snapshot is to hold if nobody else is faster.
 *
 * @param delta entries in order
 * @param index the complete new set of index files; null if it stays as it is
 * @param statistics new file of statistics; null if they stay as they are
 */
record Proposal(
    Snapshot.Kind kind, List<ManifestEntry> delta, List<IndexEntry> index, String statistics) {

  /** As above, with the statistics that there are. */
  Proposal(Snapshot.Kind kind, List<ManifestEntry> delta, List<IndexEntry> index) {
    this(kind, delta, index, null);
  }

  /** Rows added less rows removed, deleted ones counted in both. */
  long rows() {
    long rows = 0;
    for (ManifestEntry entry : delta) {
      boolean adds = entry.kind() == ManifestEntry.Kind.ADD;
      rows += adds ? entry.file().rowCount() : -entry.file().rowCount();
    }
    return rows;
  }
}
