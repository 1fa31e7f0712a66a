package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.BucketFilter;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * What a scan's condition says about partitions, buckets, keys and files: never "cannot match"
 * where a row might. Not thread-safe: it remembers what it worked out.
 */
final class ScanCondition {

  private final Table table;
  private final Predicate condition;
  private final Predicate onPartition;
  private final Predicate onKey;
  private final RowType partitionType;
  private final Map<RowBytes, InternalRow> partitions = new HashMap<>();
  private final Map<RowBytes, Boolean> partitionMatches = new HashMap<>();

  private final BucketFilter buckets;

  ScanCondition(Table table, Predicate condition) {
    this.table = table;
    this.condition = condition;
    partitionType = table.schema().partitionType();
    onPartition = Predicates.onlyOver(partitionType, condition);
    onKey = onKey(table, condition);
    buckets = buckets(table, condition);
  }

  /**
   * The part of a condition that is about the primary key: it holds for all rows of a key or for
   * none.
   */
  static Predicate onKey(Table table, Predicate condition) {
    TableSchema schema = table.schema();
    return Predicates.onlyOver(schema.rowType().project(schema.primaryKeys()), condition);
  }

  /**
   * The part of a condition that is about columns read from files: partition values are those of
   * the manifest, whatever a file holds.
   */
  static Predicate inFiles(Table table, Predicate condition) {
    RowType partition = table.schema().partitionType();
    List<Column> others =
        table.schema().rowType().columns().stream()
            .filter(column -> partition.indexOfId(column.id()) < 0)
            .toList();
    return Predicates.onlyOver(new RowType(others), condition);
  }

  /**
   * Whether the condition is about partition columns alone, so that whole partitions match or do
   * not.
   */
  boolean onlyOfPartitions() {
    return Predicates.columns(condition).stream()
        .allMatch(column -> partitionType.indexOfId(column.id()) >= 0);
  }

  /** Whether a row of this bucket's partition can match. */
  boolean mayMatchPartition(BucketId bucket) {
    return partitionMatches.computeIfAbsent(
        bucket.partition(),
        p -> Predicates.test(onPartition, partition(p), partitionType) == Truth.TRUE);
  }

  /** Whether a row that matches can have been put into this bucket. */
  boolean mayMatchBucket(BucketState bucket) {
    return buckets.mayHold(bucket.id().bucket(), bucket.totalBuckets());
  }

  /** Whether a row of this file can match. */
  boolean mayMatch(BucketState bucket, DataFile file) {
    return Predicates.mayMatch(condition, bounds(bucket, file));
  }

  /** Whether a key of this file can match, whatever the other columns hold. */
  boolean mayMatchKey(BucketState bucket, DataFile file) {
    return Predicates.mayMatch(onKey, bounds(bucket, file));
  }

  private FileBounds bounds(BucketState bucket, DataFile file) {
    return new FileBounds(
        file,
        partitionType,
        partition(bucket.id().partition()),
        table.fileSchemas().rowType(file.schemaId()));
  }

  private InternalRow partition(RowBytes partition) {
    return partitions.computeIfAbsent(
        partition, p -> new BinaryRows(partitionType).read(p.bytes()));
  }

  private static BucketFilter buckets(Table table, Predicate condition) {
    TableOptions options = table.options();
    return BucketFilter.of(
        options.bucketFunction(),
        table.schema().rowType().project(options.bucketKeys()),
        condition);
  }
}
