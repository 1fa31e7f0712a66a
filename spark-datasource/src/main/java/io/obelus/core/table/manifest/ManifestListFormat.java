package io.obelus.core.table.manifest;

import static io.obelus.core.table.manifest.AvroSchemas.field;
import static io.obelus.core.table.manifest.AvroSchemas.int32;
import static io.obelus.core.table.manifest.AvroSchemas.int64;
import static io.obelus.core.table.manifest.AvroSchemas.nullable;
import static io.obelus.core.table.manifest.AvroSchemas.record;
import static io.obelus.core.table.manifest.AvroSchemas.string;

import java.util.ArrayList;
import java.util.List;

/**
 * A manifest list: manifests in the order in which they are to be replayed, one record each (spec
 * chapter 04).
 *
 * <pre>
 *   _VERSION            int     always 2
 *   _FILE_NAME          string  of the manifest
 *   _FILE_SIZE          long    bytes
 *   _NUM_ADDED_FILES    long
 *   _NUM_DELETED_FILES  long
 *   _PARTITION_STATS    record  over the partitions of its entries
 *   _SCHEMA_ID          long    largest of its entries
 *   _MIN_BUCKET … _MAX_LEVEL    null or int; null = unknown
 * </pre>
 */
final class ManifestListFormat {

  static final int V2 = 2;

  static final AvroContainer.Kind KIND =
      new AvroContainer.Kind(
          record(
              AvroSchemas.ROOT,
              field("_VERSION", int32()),
              field("_FILE_NAME", string()),
              field("_FILE_SIZE", int64()),
              field("_NUM_ADDED_FILES", int64()),
              field("_NUM_DELETED_FILES", int64()),
              field("_PARTITION_STATS", StatsFormat.schema("record__PARTITION_STATS")),
              field("_SCHEMA_ID", int64()),
              field("_MIN_BUCKET", nullable(int32())),
              field("_MAX_BUCKET", nullable(int32())),
              field("_MIN_LEVEL", nullable(int32())),
              field("_MAX_LEVEL", nullable(int32()))),
          "manifest list",
          V2);

  private ManifestListFormat() {}

  static byte[] write(List<ManifestFile> manifests) {
    AvroContainer.Writer out = new AvroContainer.Writer(KIND);
    for (ManifestFile manifest : manifests) {
      out.append(
          new Object[] {
            V2,
            manifest.name(),
            manifest.size(),
            manifest.added(),
            manifest.deleted(),
            StatsFormat.write(manifest.partitionStats()),
            manifest.schemaId(),
            manifest.minBucket(),
            manifest.maxBucket(),
            manifest.minLevel(),
            manifest.maxLevel()
          });
    }
    return out.finish();
  }

  static List<ManifestFile> read(String file, byte[] content) {
    List<ManifestFile> manifests = new ArrayList<>();
    AvroContainer.read(
        file,
        content,
        KIND,
        record ->
            manifests.add(
                new ManifestFile(
                    (String) record[1],
                    (Long) record[2],
                    (Long) record[3],
                    (Long) record[4],
                    StatsFormat.read((Object[]) record[5]),
                    (Long) record[6],
                    (Integer) record[7],
                    (Integer) record[8],
                    (Integer) record[9],
                    (Integer) record[10])));
    return manifests;
  }
}
