package io.obelus.core.table.inspect;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * What a system table looks at.
 *
 * @param table at the schema that its columns are shown by
 * @param snapshot null if the table has none
 * @param zone in which points in time are shown. Creation times of files are not among them: they
 *     are kept as their writer's clock on the wall showed them
 */
public record Inspected(Table table, Snapshot snapshot, ZoneId zone) {

  LiveFiles live() {
    return new LiveFiles(table, snapshot);
  }

  /** The live entries of all buckets. */
  List<ManifestEntry> entries() throws IOException {
    return live().entries(bucket -> true);
  }

  /** Partitions as texts. */
  PartitionText partitions() {
    return new PartitionText(table.schema().partitionType(), zone);
  }

  String directory(BucketId bucket) {
    String path = new PartitionPath(table.schema()).of(bucket.partition());
    return table.directory().bucket(path, bucket.bucket());
  }

  /** A point in time as a clock in {@link #zone} showed it. */
  LocalDateTime time(long epochMillis) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(epochMillis), zone);
  }

  /** A time that is kept as a clock on the wall showed it; null if unknown. */
  static LocalDateTime wallTime(Long millis) {
    return millis == null
        ? null
        : LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }
}
