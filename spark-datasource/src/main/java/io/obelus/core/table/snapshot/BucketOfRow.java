package io.obelus.core.table.snapshot;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * The bucket of a row. As long as rows of one bucket follow each other it answers with the very
 * same object and, in an unpartitioned table, makes nothing new. Not thread-safe.
 */
public final class BucketOfRow {

  private final int[] partition;
  private final StructType partitionSchema;
  private final BinaryRows partitionRows;
  private final Comparator<InternalRow> byPartition;
  private final BucketFunction function;

  private InternalRow values;
  private BucketId current;

  /**
   * @param type of the rows: some columns of the table, those of partition and bucket key among
   *     them
   */
  public BucketOfRow(Table table, RowType type) {
    TableSchema schema = table.schema();
    TableOptions options = table.options();
    RowType partitionType = schema.partitionType();
    partition = type.indexesOf(schema.partitionKeys());
    partitionSchema = partitionType.toSpark();
    partitionRows = new BinaryRows(partitionType);
    byPartition =
        RowComparator.across(
            partitionType, IntStream.range(0, partition.length).toArray(), partition);
    function =
        options.bucket() > 0
            ? new BucketFunction(
                options.bucketFunction(),
                type,
                type.indexesOf(options.bucketKeys()),
                options.bucket())
            : null;
  }

  /** The bucket function over rows of the table; null if all rows are in bucket 0. */
  public BucketFunction function() {
    return function;
  }

  /** Partition and bucket of a row. */
  public BucketId of(InternalRow row) {
    int bucket = function == null ? 0 : function.bucket(row);
    boolean samePartition = current != null && byPartition.compare(values, row) == 0;
    if (!samePartition || bucket != current.bucket()) {
      RowBytes bytes = samePartition ? current.partition() : partition(row);
      current = new BucketId(bytes, bucket);
    }
    return current;
  }

  private RowBytes partition(InternalRow row) {
    if (partition.length == 0) {
      return RowBytes.EMPTY;
    }
    Object[] copied = new Object[partition.length];
    for (int i = 0; i < partition.length; i++) {
      Object value = row.get(partition[i], partitionSchema.apply(i).dataType());
      copied[i] = value == null ? null : InternalRow.copyValue(value);
    }
    values = new GenericInternalRow(copied);
    return new RowBytes(partitionRows.write(values));
  }
}
