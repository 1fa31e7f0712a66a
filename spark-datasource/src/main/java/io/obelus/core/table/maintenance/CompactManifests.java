package io.obelus.core.table.maintenance;

import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rewrites the manifests of a table so that few are left and none speaks of a file that is gone
 * (spec chapter 04): plans of scans and commits get cheaper. No row and no data file changes.
 */
public final class CompactManifests {

  /** Merge whatever can be merged, however little there is. */
  static final Map<String, String> EAGER =
      Map.of("manifest.full-compaction-threshold-size", "1 b", "manifest.merge-min-count", "1");

  /**
   * What was done.
   *
   * @param before number of manifests
   * @param after number of manifests; the same if there was nothing to do
   */
  public record Result(long before, long after, long bytesBefore, long bytesAfter) {}

  private CompactManifests() {}

  /**
   * Does it, in a snapshot of its own unless there is nothing to do.
   *
   * @throws io.obelus.core.io.CommitConflictException if others keep committing faster
   */
  public static Result run(Table table) throws IOException {
    table.options().checkWritable();
    Snapshot latest = table.snapshots().latest().orElse(null);
    List<ManifestFile> before = new LiveFiles(table, latest).manifestFiles();
    long target = table.options().manifestTargetSize();
    long due = before.stream().filter(m -> m.deleted() > 0 || m.size() < target).count();
    if (due <= 1) {
      return new Result(before.size(), before.size(), bytes(before), bytes(before));
    }
    Optional<Snapshot> made = new Commit(table.withOptions(EAGER), latest).mergeManifests();
    List<ManifestFile> after = new LiveFiles(table, made.orElse(latest)).manifestFiles();
    made.ifPresent(snapshot -> AfterCommit.run(table, snapshot));
    return new Result(before.size(), after.size(), bytes(before), bytes(after));
  }

  private static long bytes(List<ManifestFile> manifests) {
    return manifests.stream().mapToLong(ManifestFile::size).sum();
  }
}
