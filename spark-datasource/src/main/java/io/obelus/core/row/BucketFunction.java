package io.obelus.core.row;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Which bucket a row belongs to (spec chapter 06, fixed buckets). Not thread-safe: it reuses a
 * buffer.
 */
public final class BucketFunction implements Serializable {

  private static final long serialVersionUID = 1;

  /** How a bucket key becomes a number: option {@code bucket-function.type}. */
  public enum Type {
    /** The hash of the key. */
    DEFAULT,
    /** The key itself, a single INT or BIGINT. */
    MOD
  }

  private final int buckets;
  private final RowHash hash; // null for MOD
  private final int modColumn;
  private final boolean modLong;

  /**
   * @param type row type of the rows handed in
   * @param bucketKey indexes of the bucket key's columns, in the order of the bucket key
   * @param buckets number of buckets, above 0
   */
  public BucketFunction(Type function, RowType type, int[] bucketKey, int buckets) {
    if (buckets <= 0) {
      throw new IllegalArgumentException(
          "number of buckets should be above 0 but is " + buckets + "; see option 'bucket'");
    }
    this.buckets = buckets;
    if (function == Type.DEFAULT) {
      this.hash = new RowHash(type, bucketKey);
      this.modColumn = -1;
      this.modLong = false;
    } else {
      this.hash = null;
      this.modColumn = bucketKey.length == 1 ? bucketKey[0] : -1;
      this.modLong = modColumn >= 0 && isLong(type.column(modColumn));
      if (modColumn < 0) {
        throw wrongKey(bucketKey.length + " columns");
      }
    }
  }

  /** For rows that hold just the bucket key, of these types. */
  public static BucketFunction ofKey(Type function, List<ColumnType> keyTypes, int buckets) {
    List<Column> columns = new ArrayList<>();
    for (ColumnType type : keyTypes) {
      columns.add(new Column(columns.size(), "key" + columns.size(), type));
    }
    return new BucketFunction(
        function, new RowType(columns), IntStream.range(0, columns.size()).toArray(), buckets);
  }

  private static boolean isLong(Column column) {
    if (column.type() instanceof ColumnType.Scalar scalar) {
      if (scalar.kind() == ColumnType.Kind.INT) {
        return false;
      } else if (scalar.kind() == ColumnType.Kind.BIGINT) {
        return true;
      }
    }
    throw wrongKey("column '" + column.name() + "' of type " + ColumnTypes.print(column.type()));
  }

  private static IllegalArgumentException wrongKey(String found) {
    return new IllegalArgumentException(
        "option 'bucket-function.type' = 'mod' needs a bucket key of one INT or BIGINT column, not "
            + found);
  }

  /** Number of buckets. */
  public int buckets() {
    return buckets;
  }

  /** The bucket of a row, {@code [0, buckets)}. */
  public int bucket(InternalRow row) {
    if (hash != null) {
      return ofHash(hash.of(row), buckets);
    } else if (row.isNullAt(modColumn)) {
      return 0;
    }
    long value = modLong ? row.getLong(modColumn) : row.getInt(modColumn);
    return Math.floorMod(value, buckets);
  }

  /** The bucket of a key with this {@link RowHash}, {@code [0, buckets)}. */
  public static int ofHash(int hash, int buckets) {
    return Math.abs(hash % buckets); // in this order: a remainder of -1 is bucket 1
  }
}
