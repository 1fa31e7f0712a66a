package io.obelus.spark.expression;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import io.obelus.core.table.schema.TableSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A condition over partition columns alone: it takes all rows of a partition or none, so whole
 * partitions can be dropped by it. Immutable, thread-safe.
 */
public final class PartitionCondition implements java.util.function.Predicate<RowBytes> {

  private final RowType columns;
  private final BinaryRows rows;
  private final Predicate condition;

  private PartitionCondition(RowType columns, Predicate condition) {
    this.columns = columns;
    this.rows = new BinaryRows(columns);
    this.condition = condition;
  }

  /**
   * The conditions, all of which must hold; empty if one of them is about more than the partition
   * columns. No conditions at all take every partition.
   */
  public static Optional<PartitionCondition> of(
      org.apache.spark.sql.connector.expressions.filter.Predicate[] conditions,
      TableSchema schema) {
    RowType columns = schema.partitionType();
    List<Predicate> parts = new ArrayList<>();
    for (var condition : conditions) {
      Optional<Predicate> part = SparkPredicates.exact(condition, columns);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    return Optional.of(new PartitionCondition(columns, new Predicate.And(parts)));
  }

  /** Whether the condition is true, not just unknown, for the rows of this partition. */
  @Override
  public boolean test(RowBytes partition) {
    return Boolean.TRUE.equals(value(condition, rows.read(partition.bytes())));
  }

  /** True, false, or null for unknown. */
  private Boolean value(Predicate node, InternalRow row) {
    if (node instanceof Predicate.Constant constant) {
      return constant.value();
    } else if (node instanceof Predicate.IsNull isNull) {
      return get(isNull.column(), row) == null;
    } else if (node instanceof Predicate.Not not) {
      Boolean part = value(not.part(), row);
      return part == null ? null : !part;
    } else if (node instanceof Predicate.And and) {
      return all(and.parts(), row, true);
    } else if (node instanceof Predicate.Or or) {
      return all(or.parts(), row, false);
    } else if (node instanceof Predicate.Compare compare) {
      Object found = get(compare.column(), row);
      return found == null ? null : holds(compare, order(found, compare.literal()));
    } else if (node instanceof Predicate.In in) {
      Object found = get(in.column(), row);
      return found == null ? null : in.literals().stream().anyMatch(l -> order(found, l) == 0);
    } else if (node instanceof Predicate.StartsWith starts) {
      Object found = get(starts.column(), row);
      return found == null ? null : ((UTF8String) found).startsWith(starts.prefix());
    }
    throw new IllegalStateException("a predicate of an unknown kind: " + node);
  }

  /** {@code neutral} if all parts are; its opposite if one part is; else unknown. */
  private Boolean all(List<Predicate> parts, InternalRow row, boolean neutral) {
    Boolean result = neutral;
    for (Predicate part : parts) {
      Boolean value = value(part, row);
      if (value == null) {
        result = null;
      } else if (value != neutral) {
        return !neutral;
      }
    }
    return result;
  }

  private Object get(Column column, InternalRow row) {
    int index = columns.indexOf(column.name());
    return row.isNullAt(index) ? null : row.get(index, SparkTypes.toSpark(column.type()));
  }

  private static boolean holds(Predicate.Compare compare, int order) {
    return switch (compare.comparison()) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }

  /** Spark's order: NaN equals itself and is above all, both zeros are equal. */
  private static int order(Object left, Object right) {
    if (left instanceof UTF8String text) {
      return text.compareTo((UTF8String) right);
    } else if (left instanceof Double number) {
      double other = (Double) right;
      return number == other ? 0 : Double.compare(number, other);
    } else if (left instanceof Float number) {
      float other = (Float) right;
      return number == other ? 0 : Float.compare(number, other);
    } else if (left instanceof Decimal number) {
      return number.compare((Decimal) right);
    } else if (left instanceof byte[] bytes) {
      return Arrays.compareUnsigned(bytes, (byte[]) right);
    } else if (left instanceof Boolean flag) {
      return Boolean.compare(flag, (Boolean) right);
    } else {
      return Long.compare(((Number) left).longValue(), ((Number) right).longValue());
    }
  }

  @Override
  public String toString() {
    return condition.toString();
  }
}
