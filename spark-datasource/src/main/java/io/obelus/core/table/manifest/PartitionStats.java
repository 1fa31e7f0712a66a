package io.obelus.core.table.manifest;

import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;

/** Statistics over the partitions of a manifest's entries: made here, and asked here. */
final class PartitionStats {

  private static final int SPARK_TIMESTAMP_PRECISION = 6;

  private final RowType type;
  private final BinaryRows rows;

  /**
   * @param type row type of the partition values
   */
  PartitionStats(RowType type) {
    // Bounds may be null where a value may not.
    this.type =
        new RowType(
            type.columns().stream()
                .map(column -> column.typed(column.type().withNullable(true)))
                .toList());
    this.rows = new BinaryRows(this.type);
  }

  /**
   * Bounds and null counts over the partitions of entries.
   *
   * @param entries number of entries by partition
   */
  ColumnStats of(Map<RowBytes, Integer> entries) {
    int columns = type.size();
    if (columns == 0 || entries.isEmpty()) {
      return ColumnStats.NONE;
    }
    Object[] min = new Object[columns];
    Object[] max = new Object[columns];
    Long[] nullCounts = new Long[columns];
    for (int i = 0; i < columns; i++) {
      DataType spark = SparkTypes.toSpark(type.column(i).type());
      Comparator<InternalRow> order = RowComparator.of(type, new int[] {i});
      InternalRow smallest = null;
      InternalRow largest = null;
      nullCounts[i] = 0L;
      for (Map.Entry<RowBytes, Integer> partition : entries.entrySet()) {
        InternalRow row = rows.read(partition.getKey().bytes());
        if (row.isNullAt(i)) {
          nullCounts[i] += partition.getValue();
        } else {
          smallest = smallest == null || order.compare(row, smallest) < 0 ? row : smallest;
          largest = largest == null || order.compare(row, largest) > 0 ? row : largest;
        }
      }
      if (smallest != null && isExact(type.column(i))) {
        min[i] = smallest.get(i, spark);
        max[i] = largest.get(i, spark);
      }
    }
    return new ColumnStats(
        new RowBytes(rows.write(new GenericInternalRow(min))),
        new RowBytes(rows.write(new GenericInternalRow(max))),
        nullCounts);
  }

  /** Whether entries with these statistics may be of the partition; unknown counts as yes. */
  boolean mayHold(ColumnStats stats, RowBytes partition) {
    if (type.size() == 0
        || arity(stats.min()) != type.size()
        || arity(stats.max()) != type.size()) {
      return true;
    }
    InternalRow row = rows.read(partition.bytes());
    InternalRow min = rows.read(stats.min().bytes());
    InternalRow max = rows.read(stats.max().bytes());
    for (int i = 0; i < type.size(); i++) {
      if (isExact(type.column(i)) && isOutside(i, row, min, max, nullCount(stats, i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isOutside(int i, InternalRow row, InternalRow min, InternalRow max, Long nulls) {
    if (row.isNullAt(i)) {
      return nulls != null && nulls == 0;
    }
    if (min.isNullAt(i) || max.isNullAt(i)) {
      return false;
    }
    Comparator<InternalRow> order = RowComparator.of(type, new int[] {i});
    return order.compare(row, min) < 0 || order.compare(row, max) > 0;
  }

  private static Long nullCount(ColumnStats stats, int i) {
    return i < stats.nullCounts().length ? stats.nullCounts()[i] : null;
  }

  private static int arity(RowBytes row) {
    return ByteBuffer.wrap(row.bytes()).getInt();
  }

  /** Rows in memory keep microseconds: bounds cut to that would be wrong, so none are given. */
  private static boolean isExact(Column column) {
    return !(column.type() instanceof ColumnType.Scalar scalar
        && (scalar.kind() == Kind.TIMESTAMP || scalar.kind() == Kind.TIMESTAMP_LTZ)
        && scalar.precision() > SPARK_TIMESTAMP_PRECISION);
  }
}
