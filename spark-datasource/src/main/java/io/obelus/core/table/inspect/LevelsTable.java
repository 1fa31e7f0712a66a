package io.obelus.core.table.inspect;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.DeletionCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * {@code t$levels}: how settled each bucket is. Live is what no bitmap strikes out; where rows are
 * merged when they are read, fewer may come out.
 */
final class LevelsTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "partition STRING",
          "bucket INT NOT NULL",
          "level INT NOT NULL",
          "file_count BIGINT NOT NULL",
          "record_count BIGINT NOT NULL",
          "file_size_in_bytes BIGINT NOT NULL",
          "struck_out_count BIGINT NOT NULL",
          "live_share DOUBLE NOT NULL");

  @Override
  public String name() {
    return "levels";
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
    List<BucketState> buckets = new ArrayList<>(inspected.live().buckets(id -> true));
    buckets.sort(
        Comparator.comparing((BucketState b) -> b.id().partition(), partitions.order())
            .thenComparing(b -> b.id().bucket()));
    List<InternalRow> rows = new ArrayList<>();
    for (BucketState bucket : buckets) {
      DeletionCounts deletions = new DeletionCounts(inspected.table().deletionFiles(), bucket);
      String partition = partitions.of(bucket.id().partition());
      levels(bucket, deletions)
          .forEach((level, sums) -> rows.add(sums.row(partition, bucket.id().bucket(), level)));
    }
    return rows;
  }

  private static Map<Integer, Level> levels(BucketState bucket, DeletionCounts deletions) {
    Map<Integer, Level> levels = new TreeMap<>();
    for (DataFile file : bucket.files()) {
      Level level = levels.computeIfAbsent(file.level(), number -> new Level());
      level.totals.add(file);
      level.struckOut += deletions.count(file);
    }
    return levels;
  }

  private static final class Level {

    private final FileTotals totals = new FileTotals();
    private long struckOut;

    InternalRow row(String partition, int bucket, int level) {
      double live = totals.rows == 0 ? 1 : (double) (totals.rows - struckOut) / totals.rows;
      return Rows.of(
          partition, bucket, level, totals.files, totals.rows, totals.bytes, struckOut, live);
    }
  }
}
