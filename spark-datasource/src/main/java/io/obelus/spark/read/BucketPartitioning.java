package io.obelus.spark.read;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanPlan;
import io.obelus.core.table.scan.Split;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.expression.BucketNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;

/**
 * By what the rows of a scan are already apart: the partition columns and the bucket. Joins of two
 * tables with equal buckets, and groupings, then need no exchange.
 *
 * <p>Spark 3.5 knows functions of one column only, so that the bucket key must be one column; and
 * the number of tasks is then that of the buckets, so that nothing is said unless {@code
 * spark.sql.sources.v2.bucketing.enabled} asks for it.
 */
final class BucketPartitioning {

  private final RowType partitionType;
  private final Expression[] keys;

  private BucketPartitioning(RowType partitionType, Expression[] keys) {
    this.partitionType = partitionType;
    this.keys = keys;
  }

  /**
   * What is to be said of a scan; empty where nothing is, or where any of it might be wrong.
   *
   * @param columns that the scan returns
   */
  static Optional<BucketPartitioning> of(Table table, RowType columns, ScanPlan plan) {
    TableOptions options = table.options();
    if (!SQLConf.get().v2BucketingEnabled() || options.bucket() <= 0) {
      return Optional.empty();
    }
    RowType partitionType = table.schema().partitionType();
    RowType key = table.schema().rowType().project(options.bucketKeys());
    List<Column> all = new ArrayList<>(partitionType.columns());
    all.addAll(key.columns());
    boolean areThere =
        all.stream()
            .allMatch(
                column ->
                    columns.indexOfId(column.id()) >= 0
                        && BucketNumber.isComparable(column.type()));
    if (key.size() != 1
        || !areThere
        || !plan.isSpreadOver(options.bucket())
        || plan.buckets().size() < 2) {
      return Optional.empty();
    }
    List<Expression> keys = new ArrayList<>();
    partitionType.names().forEach(name -> keys.add(Expressions.identity(quoted(name))));
    Column column = key.column(0);
    keys.add(
        new BucketNumber(options.bucketFunction(), options.bucket(), (Scalar) column.type())
            .of(column.name()));
    return Optional.of(new BucketPartitioning(partitionType, keys.toArray(Expression[]::new)));
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  Partitioning of(int groups) {
    return new KeyGroupedPartitioning(keys, groups);
  }

  /** The values of the keys for the rows of a bucket. */
  InternalRow key(BucketId bucket) {
    InternalRow partition = new BinaryRows(partitionType).read(bucket.partition().bytes());
    Object[] values = new Object[keys.length];
    for (int i = 0; i < partitionType.size(); i++) {
      DataType type = partitionType.toSpark().apply(i).dataType();
      values[i] = partition.isNullAt(i) ? null : InternalRow.copyValue(partition.get(i, type));
    }
    values[keys.length - 1] = bucket.bucket();
    return new GenericInternalRow(values);
  }

  /** The bucket that all parts of a split are of. */
  static BucketId bucket(Split split) {
    return split.parts().get(0).bucket();
  }
}
