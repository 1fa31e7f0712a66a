package io.obelus.core.table.inspect;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestEntry;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@code t$buckets}: buckets that have files, by partition and number. */
final class BucketsTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "partition STRING",
          "bucket INT NOT NULL",
          "record_count BIGINT NOT NULL",
          "file_size_in_bytes BIGINT NOT NULL",
          "file_count BIGINT NOT NULL",
          "last_update_time TIMESTAMP(3)");

  @Override
  public String name() {
    return "buckets";
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
    Map<BucketId, FileTotals> totals =
        new TreeMap<>(
            Comparator.comparing(BucketId::partition, partitions.order())
                .thenComparing(BucketId::bucket));
    for (ManifestEntry entry : inspected.entries()) {
      totals.computeIfAbsent(entry.bucket(), bucket -> new FileTotals()).add(entry.file());
    }
    return totals.entrySet().stream()
        .map(entry -> row(partitions, entry.getKey(), entry.getValue()))
        .toList();
  }

  private static InternalRow row(PartitionText partitions, BucketId bucket, FileTotals totals) {
    return Rows.of(
        partitions.of(bucket.partition()),
        bucket.bucket(),
        totals.rows,
        totals.bytes,
        totals.files,
        Inspected.wallTime(totals.lastCreated));
  }
}
