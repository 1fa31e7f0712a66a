package io.obelus.core.table.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.obelus.core.io.Place;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.table.schema.MetadataJson;
import java.util.Arrays;
import java.util.Map;

/**
 * Reads and writes snapshot files (spec chapter 03).
 *
 * <pre>
 *   {
 *     "version" : 3,                       absent = 1
 *     "id" : 6,
 *     "schemaId" : 0,
 *     "baseManifestList" : "manifest-list-…-2",
 *     "baseManifestListSize" : 1095,       sizes in bytes, absent in old files
 *     "deltaManifestList" : "manifest-list-…-3",
 *     "deltaManifestListSize" : 1005,
 *     "changelogManifestList" : null,      the one key that is written although it is null
 *     "changelogManifestListSize" : 9,     if there is a list
 *     "indexManifest" : "index-manifest-…-0",   if there is one
 *     "commitUser" : "…",
 *     "commitIdentifier" : 9223372036854775807,
 *     "commitKind" : "COMPACT",
 *     "timeMillis" : 1796004111137,
 *     "logOffsets" : { },                  means nothing any more; always written empty
 *     "totalRecordCount" : 3,
 *     "deltaRecordCount" : -2,
 *     "changelogRecordCount" : 0,
 *     "watermark" : …, "statistics" : …, "properties" : { … },   if there are any
 *     "nextRowId" : 0
 *   }
 * </pre>
 */
final class SnapshotFormat {

  /** What all versions have in common is all that is read; absent keys are null. */
  static final int V1 = 1;

  static final int V2 = 2;
  static final int V3 = 3;
  static final int WRITTEN = V3;

  private SnapshotFormat() {}

  static byte[] write(Snapshot snapshot) {
    return MetadataJson.write(json(snapshot));
  }

  static ObjectNode json(Snapshot snapshot) {
    ObjectNode json = MetadataJson.empty();
    json.put("version", snapshot.version());
    json.put("id", snapshot.id());
    json.put("schemaId", snapshot.schemaId());
    json.put("baseManifestList", snapshot.baseManifestList());
    put(json, "baseManifestListSize", snapshot.baseManifestListSize());
    json.put("deltaManifestList", snapshot.deltaManifestList());
    put(json, "deltaManifestListSize", snapshot.deltaManifestListSize());
    json.put("changelogManifestList", snapshot.changelogManifestList());
    put(json, "changelogManifestListSize", snapshot.changelogManifestListSize());
    put(json, "indexManifest", snapshot.indexManifest());
    json.put("commitUser", snapshot.commitUser());
    json.put("commitIdentifier", snapshot.commitIdentifier());
    json.put("commitKind", snapshot.kind().name());
    json.put("timeMillis", snapshot.timeMillis());
    json.putObject("logOffsets");
    put(json, "totalRecordCount", snapshot.totalRecordCount());
    put(json, "deltaRecordCount", snapshot.deltaRecordCount());
    put(json, "changelogRecordCount", snapshot.changelogRecordCount());
    put(json, "watermark", snapshot.watermark());
    put(json, "statistics", snapshot.statistics());
    if (!snapshot.properties().isEmpty()) {
      snapshot.properties().forEach(json.putObject("properties")::put);
    }
    put(json, "nextRowId", snapshot.nextRowId());
    return json;
  }

  private static void put(ObjectNode json, String key, Long value) {
    if (value != null) {
      json.put(key, value);
    }
  }

  private static void put(ObjectNode json, String key, String value) {
    if (value != null) {
      json.put(key, value);
    }
  }

  /**
   * @param file path, for errors
   * @param id that the file's name says
   */
  static Snapshot read(String file, long id, byte[] content) {
    MetadataJson json = MetadataJson.read(file, content);
    if (json.number("id") != id) {
      throw json.wrong("id", id + ", as the file name says,", json.number("id"));
    }
    return read(json);
  }

  /** A snapshot that is kept under another name than its own, as a tag is. */
  static Snapshot read(MetadataJson json) {
    int version = json.small("version", V1);
    if (version < V1 || version > V3) {
      throw new UnknownVersionException(
          Place.startOf(json.file()), "snapshot", version, V1, V2, V3);
    }
    return new Snapshot(
        version,
        json.number("id"),
        json.number("schemaId"),
        json.text("baseManifestList"),
        json.numberOrNull("baseManifestListSize"),
        json.text("deltaManifestList"),
        json.numberOrNull("deltaManifestListSize"),
        json.textOrNull("changelogManifestList"),
        json.numberOrNull("changelogManifestListSize"),
        json.textOrNull("indexManifest"),
        json.text("commitUser"),
        json.number("commitIdentifier"),
        kind(json),
        json.number("timeMillis"),
        json.numberOrNull("totalRecordCount"),
        json.numberOrNull("deltaRecordCount"),
        json.numberOrNull("changelogRecordCount"),
        json.numberOrNull("watermark"),
        json.textOrNull("statistics"),
        json.has("properties") ? json.textMap("properties") : Map.of(),
        json.numberOrNull("nextRowId"));
  }

  private static Snapshot.Kind kind(MetadataJson json) {
    String text = json.text("commitKind");
    try {
      return Snapshot.Kind.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          ("%s: commit kind '%s' is not one of %s. A newer engine made this snapshot; "
                  + "use a newer release.")
              .formatted(json.file(), text, Arrays.toString(Snapshot.Kind.values())),
          e);
    }
  }
}
