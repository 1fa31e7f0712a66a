package io.obelus.core.table.inspect;

import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestEntry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@code t$partitions}: partitions that have files, in the order of their values. */
final class PartitionsTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "partition STRING",
          "record_count BIGINT NOT NULL",
          "file_size_in_bytes BIGINT NOT NULL",
          "file_count BIGINT NOT NULL",
          "last_update_time TIMESTAMP(3)");

  @Override
  public String name() {
    return "partitions";
  }

  @Override
  public RowType rowType() {
    return TYPE;
  }

  @Override
  public boolean showsSnapshot() {
    return true;
  }

  @Override
  public List<InternalRow> rows(Inspected inspected) throws IOException {
    PartitionText partitions = inspected.partitions();
    Map<RowBytes, FileTotals> totals = new TreeMap<>(partitions.order());
    for (ManifestEntry entry : inspected.entries()) {
      totals
          .computeIfAbsent(entry.bucket().partition(), partition -> new FileTotals())
          .add(entry.file());
    }
    return totals.entrySet().stream()
        .map(entry -> row(partitions.of(entry.getKey()), entry.getValue()))
        .toList();
  }

  private static InternalRow row(String partition, FileTotals totals) {
    return Rows.of(
        partition, totals.rows, totals.bytes, totals.files, Inspected.wallTime(totals.lastCreated));
  }
}
