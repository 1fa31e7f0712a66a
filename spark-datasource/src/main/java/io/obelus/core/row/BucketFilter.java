package io.obelus.core.row;

import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate.And;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.Or;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;

/**
 * The buckets that can hold rows of a condition which pins the whole bucket key to single values
 * (spec chapter 06). Not thread-safe: it remembers the buckets by their total.
 */
public final class BucketFilter {

  /** Keys beyond this many are not worth their hashes: most buckets would be hit. */
  private static final int MAX_KEYS = 10_000;

  private final BucketFunction.Type function;
  private final List<ColumnType> types;
  private final List<InternalRow> keys; // null: any
  private final Map<Integer, BitSet> bucketsByTotal = new HashMap<>();

  private BucketFilter(
      BucketFunction.Type function, List<ColumnType> types, List<InternalRow> keys) {
    this.function = function;
    this.types = types;
    this.keys = keys;
  }

  /**
   * @param bucketKey columns of the bucket key, in its order
   */
  public static BucketFilter of(
      BucketFunction.Type function, RowType bucketKey, Predicate condition) {
    List<ColumnType> types = bucketKey.columns().stream().map(Column::type).toList();
    return new BucketFilter(function, types, keys(bucketKey, condition));
  }

  /**
   * Whether a bucket can hold rows of the condition.
   *
   * @param total number of buckets that the bucket's rows were spread over; if it is not above 0
   *     they were not spread by hash, and any bucket can
   */
  public boolean mayHold(int bucket, int total) {
    if (keys == null || total <= 0) {
      return true;
    }
    return bucketsByTotal.computeIfAbsent(total, this::buckets).get(bucket);
  }

  private BitSet buckets(int total) {
    BucketFunction buckets = BucketFunction.ofKey(function, types, total);
    BitSet possible = new BitSet(total);
    for (InternalRow key : keys) {
      possible.set(buckets.bucket(key));
    }
    return possible;
  }

  /** All keys that the condition allows; null if they are not counted out. */
  private static List<InternalRow> keys(RowType bucketKey, Predicate condition) {
    List<Predicate> conjuncts = Predicates.conjuncts(condition);
    List<Object[]> keys = new ArrayList<>();
    keys.add(new Object[bucketKey.size()]);
    for (int i = 0; i < bucketKey.size(); i++) {
      TreeSet<Object> values = values(bucketKey.column(i), new And(conjuncts));
      if (values == null || (long) keys.size() * values.size() > MAX_KEYS) {
        return null;
      }
      keys = times(keys, i, values);
    }
    return keys.stream().<InternalRow>map(GenericInternalRow::new).toList();
  }

  private static List<Object[]> times(List<Object[]> keys, int column, TreeSet<Object> values) {
    List<Object[]> product = new ArrayList<>();
    for (Object[] key : keys) {
      for (Object value : values) {
        Object[] longer = key.clone();
        longer[column] = value;
        product.add(longer);
      }
    }
    return product;
  }

  /** The values that a column can have where the condition is true; null if they are too many. */
  private static TreeSet<Object> values(Column column, Predicate condition) {
    if (!equalMeansEqualHash(column.type())) {
      return null;
    } else if (condition instanceof And and) {
      return intersection(column, and.parts());
    } else if (condition instanceof Or or) {
      return union(column, or.parts());
    } else if (condition instanceof Compare compare
        && compare.column().id() == column.id()
        && compare.comparison() == Comparison.EQUAL) {
      return set(column, List.of(compare.literal()));
    } else if (condition instanceof In in && in.column().id() == column.id()) {
      return set(column, in.literals());
    }
    return null;
  }

  /**
   * Not so for 0.0 and -0.0, nor for time stamps whose nanoseconds are hashed but cut off when they
   * are read.
   */
  private static boolean equalMeansEqualHash(ColumnType type) {
    if (!(type instanceof Scalar scalar)) {
      return false;
    }
    return switch (scalar.kind()) {
      case FLOAT, DOUBLE, VARIANT -> false;
      case TIMESTAMP, TIMESTAMP_LTZ -> scalar.precision() <= 6;
      default -> true;
    };
  }

  private static TreeSet<Object> intersection(Column column, List<Predicate> parts) {
    TreeSet<Object> common = null;
    for (Predicate part : parts) {
      TreeSet<Object> values = values(column, part);
      if (common == null) {
        common = values;
      } else if (values != null) {
        common.removeIf(value -> !values.contains(value));
      }
    }
    return common;
  }

  private static TreeSet<Object> union(Column column, List<Predicate> parts) {
    TreeSet<Object> all = set(column, List.of());
    for (Predicate part : parts) {
      TreeSet<Object> values = values(column, part);
      if (values == null) {
        return null;
      }
      all.addAll(values);
    }
    return all;
  }

  private static TreeSet<Object> set(Column column, List<Object> literals) {
    TreeSet<Object> set = new TreeSet<>(ValueOrder.of(column.type()));
    for (Object literal : literals) {
      if (!(literal instanceof Decimal decimal) || fits(decimal, (Scalar) column.type())) {
        set.add(literal);
      }
    }
    return set;
  }

  /** Whether the column can hold the number: else no row has it, and it has no binary form. */
  private static boolean fits(Decimal literal, Scalar type) {
    BigDecimal value = literal.toJavaBigDecimal().stripTrailingZeros();
    return value.scale() <= type.scale()
        && value.setScale(type.scale()).precision() <= type.precision();
  }
}
