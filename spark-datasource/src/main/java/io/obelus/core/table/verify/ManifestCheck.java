package io.obelus.core.table.verify;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.snapshot.Table;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** What a manifest list says of a manifest must hold of its entries: readers skip it by that. */
final class ManifestCheck implements Check<ManifestCheck.Read> {

  /** A manifest as its list has it, and its entries. */
  record Read(Table table, ManifestFile line, List<ManifestEntry> entries) {}

  @Override
  public void check(Read manifest, Report report) {
    ManifestFile line = manifest.line();
    List<String> wrong = new ArrayList<>();
    long added =
        manifest.entries().stream().filter(e -> e.kind() == ManifestEntry.Kind.ADD).count();
    compare(wrong, "files added", line.added(), added);
    compare(wrong, "files deleted", line.deleted(), manifest.entries().size() - added);
    for (ManifestEntry entry : manifest.entries()) {
      bound(wrong, "bucket", line.minBucket(), entry.bucket().bucket(), line.maxBucket());
      bound(wrong, "level", line.minLevel(), entry.file().level(), line.maxLevel());
      if (entry.file().schemaId() > line.schemaId()) {
        wrong.add("schema %d is above %d".formatted(entry.file().schemaId(), line.schemaId()));
      }
    }
    partitions(wrong, manifest);
    if (!wrong.isEmpty()) {
      report.error(
          Replay.MANIFEST,
          Where.file(manifest.table().directory().manifest(line.name())),
          "what its manifest list says does not hold: "
              + String.join("; ", wrong.stream().distinct().limit(5).toList()),
          Mend.COMPACT_MANIFEST,
          null);
    }
  }

  private static void compare(List<String> wrong, String what, long said, long found) {
    if (said != found) {
      wrong.add("%s should be %d but are %d".formatted(what, said, found));
    }
  }

  /** Null bounds are unknown. */
  private static void bound(List<String> wrong, String what, Integer min, int found, Integer max) {
    if ((min != null && found < min) || (max != null && found > max)) {
      wrong.add("%s %d is not in [%d, %d]".formatted(what, found, min, max));
    }
  }

  private static void partitions(List<String> wrong, Read manifest) {
    RowType type = manifest.table().schema().partitionType();
    if (type.size() == 0) {
      return;
    }
    Statistics stats = Statistics.of(type, manifest.line().partitionStats());
    BinaryRows rows = new BinaryRows(type);
    long[] nulls = new long[type.size()];
    for (ManifestEntry entry : manifest.entries()) {
      InternalRow partition = rows.read(entry.bucket().partition().bytes());
      for (int i = 0; i < nulls.length; i++) {
        nulls[i] += stats.isNull(i, partition) ? 1 : 0;
        if (stats.isOutside(i, partition)) {
          wrong.add(
              "partition %s = %s is not in %s"
                  .formatted(stats.name(i), stats.value(i, partition), stats.bounds(i)));
        }
      }
    }
    for (int i = 0; i < nulls.length; i++) {
      if (stats.nullCount(i) != null) {
        compare(wrong, "nulls of " + stats.name(i), stats.nullCount(i), nulls[i]);
      }
    }
  }
}
