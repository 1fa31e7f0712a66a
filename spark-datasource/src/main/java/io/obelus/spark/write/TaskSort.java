package io.obelus.spark.write;

import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeExternalRowSorter;
import org.apache.spark.sql.execution.UnsafeExternalRowSorter.PrefixComputer;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.collection.unsafe.sort.PrefixComparators;
import org.apache.spark.util.collection.unsafe.sort.RecordComparator;
import scala.collection.Iterator;

/**
 * Sorts the rows of a task by bucket number, then by columns, with the sorter that Spark itself
 * uses: it spills when memory is short. To be used in a task. Not thread-safe.
 *
 * <p>The bucket stands in the upper bits of the prefix by which the sorter compares first, so that
 * it is worked out once for each row; below it is the beginning of the first column.
 *
 * <pre>
 *   | 0 | bucket  | upper bits of the first column, in an order that is unsigned |
 *   63    62                                                                     0
 * </pre>
 */
final class TaskSort implements Closeable {

  private final UnsafeExternalRowSorter sorter;

  /**
   * @param row layout of the rows handed in
   * @param columns indexes of the columns to sort by after the bucket
   */
  TaskSort(StructType row, RowType type, BucketFunction bucketFunction, int buckets, int[] columns)
      throws IOException {
    Comparator<InternalRow> order = RowComparator.of(type, columns);
    sorter =
        UnsafeExternalRowSorter.createWithRecordComparator(
            row,
            () -> new Rows(row.length(), order),
            PrefixComparators.LONG,
            new BucketFirst(bucketFunction, buckets, type, columns),
            SparkEnv.get().memoryManager().pageSizeBytes(),
            false);
  }

  /** Takes a copy of the row. */
  void add(UnsafeRow row) throws IOException {
    sorter.insertRow(row);
  }

  /** All rows, in order; each is valid until the next. Nothing may be added after this. */
  Iterator<InternalRow> sorted() throws IOException {
    return sorter.sort();
  }

  @Override
  public void close() {
    sorter.cleanupResources();
  }

  private static final class Rows extends RecordComparator {

    private final Comparator<InternalRow> order;
    private final UnsafeRow left;
    private final UnsafeRow right;

    Rows(int width, Comparator<InternalRow> order) {
      this.order = order;
      this.left = new UnsafeRow(width);
      this.right = new UnsafeRow(width);
    }

    @Override
    public int compare(
        Object leftBase,
        long leftOffset,
        int leftSize,
        Object rightBase,
        long rightOffset,
        int rightSize) {
      left.pointTo(leftBase, leftOffset, leftSize);
      right.pointTo(rightBase, rightOffset, rightSize);
      return order.compare(left, right);
    }
  }

  private static final class BucketFirst extends PrefixComputer {

    private final Prefix result = new Prefix();
    private final BucketFunction bucketFunction;
    private final int bits;
    private final Kind kind;
    private final int column;

    BucketFirst(BucketFunction bucketFunction, int buckets, RowType type, int[] columns) {
      this.bucketFunction = bucketFunction;
      this.bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(buckets - 1));
      this.column = columns.length == 0 ? -1 : columns[0];
      this.kind =
          column >= 0 && type.column(column).type() instanceof Scalar scalar ? scalar.kind() : null;
    }

    @Override
    public Prefix computePrefix(InternalRow row) {
      result.isNull = false;
      result.value =
          ((long) bucketFunction.bucket(row) << (Long.SIZE - 1 - bits)) | (first(row) >>> 1 + bits);
      return result;
    }

    /** Beginning of the first column as an unsigned number; null and unknown types as 0. */
    private long first(InternalRow row) {
      if (kind == null || row.isNullAt(column)) {
        return 0;
      }
      return switch (kind) {
        case TINYINT -> unsigned((long) row.getByte(column) << 56);
        case SMALLINT -> unsigned((long) row.getShort(column) << 48);
        case INT, DATE -> unsigned((long) row.getInt(column) << 32);
        case BIGINT -> unsigned(row.getLong(column));
        case CHAR, VARCHAR -> row.getUTF8String(column).getPrefix();
        default -> 0;
      };
    }

    private static long unsigned(long value) {
      return value ^ Long.MIN_VALUE;
    }
  }
}
