package io.obelus.core.table.snapshot;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The whole table at one commit (spec chapter 03). Null where the file leaves a key out. Counts are
 * rows as stored, struck-out ones included.
 *
 * @param kind of the commit that made it
 * @param indexManifest null if the table has no index files
 * @param properties empty if there are none; null is taken for that
 */
public record Snapshot(
    int version,
    long id,
    long schemaId,
    String baseManifestList,
    Long baseManifestListSize,
    String deltaManifestList,
    Long deltaManifestListSize,
    String changelogManifestList,
    Long changelogManifestListSize,
    String indexManifest,
    String commitUser,
    long commitIdentifier,
    Kind kind,
    long timeMillis,
    Long totalRecordCount,
    Long deltaRecordCount,
    Long changelogRecordCount,
    Long watermark,
    String statistics,
    Map<String, String> properties,
    Long nextRowId)
    implements Serializable {

  public Snapshot {
    Objects.requireNonNull(kind, "kind");
    properties =
        properties == null
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(properties)); // keeps their order
  }

  /** What a commit did. A reader of the rows need not care; a reader of changes must. */
  public enum Kind {
    APPEND,
    COMPACT,
    OVERWRITE,
    ANALYZE
  }

  /** Version of the snapshots that this release writes. */
  public static final int WRITTEN_VERSION = SnapshotFormat.WRITTEN;

  /** Identifier of every batch commit. */
  public static final long BATCH_IDENTIFIER = Long.MAX_VALUE;

  /** Whether two snapshots are the same one; ids come back after a rollback. Null = none. */
  public static boolean same(Snapshot left, Snapshot right) {
    if (left == null || right == null) {
      return left == right;
    }
    return left.id() == right.id()
        && Objects.equals(left.commitUser(), right.commitUser())
        && Objects.equals(left.deltaManifestList(), right.deltaManifestList());
  }
}
