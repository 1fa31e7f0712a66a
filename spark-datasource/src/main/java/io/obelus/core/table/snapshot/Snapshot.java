package io.obelus.core.table.snapshot;

import java.io.Serializable;
import java.util.Map;

/**
 * The whole table at one commit (spec chapter 03). Null where the file leaves a key out.
 *
 * @param kind of the commit that made it
 * @param indexManifest null if the table has no index files
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

  public enum Kind {
    APPEND,
    COMPACT,
    OVERWRITE,
    ANALYZE
  }

  /** Identifier of every batch commit. */
  public static final long BATCH_IDENTIFIER = Long.MAX_VALUE;
}
