package io.obelus.core.row;

import io.obelus.core.row.Predicate.And;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.Constant;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.core.row.Predicate.Not;
import io.obelus.core.row.Predicate.Or;
import io.obelus.core.row.Predicate.StartsWith;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Whether a condition may be true of a row, and whether it may be false, when only bounds are
 * known. Both questions are asked all the way down: below a NOT they change places, and a row in
 * which a column is null answers neither with yes.
 */
final class BoundsCheck {

  private final Bounds bounds;

  BoundsCheck(Bounds bounds) {
    this.bounds = bounds;
  }

  /** False only if no row makes the condition true. */
  boolean mayBeTrue(Predicate predicate) {
    return mayBe(true, predicate);
  }

  private boolean mayBe(boolean truth, Predicate predicate) {
    if (predicate instanceof Constant constant) {
      return constant.value() == truth;
    } else if (predicate instanceof Not not) {
      return mayBe(!truth, not.part());
    } else if (predicate instanceof And and) {
      return truth
          ? and.parts().stream().allMatch(part -> mayBe(true, part))
          : and.parts().stream().anyMatch(part -> mayBe(false, part));
    } else if (predicate instanceof Or or) {
      return truth
          ? or.parts().stream().anyMatch(part -> mayBe(true, part))
          : or.parts().stream().allMatch(part -> mayBe(false, part));
    } else if (predicate instanceof IsNull isNull) {
      return truth ? bounds.nullCount(isNull.column()) != 0 : mayHaveValues(isNull.column());
    }
    return mayHaveValues(Predicates.column(predicate)) && valuesMayBe(truth, predicate);
  }

  private boolean mayHaveValues(Column column) {
    long nulls = bounds.nullCount(column);
    boolean allNull = nulls != Bounds.UNKNOWN && nulls == bounds.rowCount();
    // Bounds of nothing are a contradiction: then rather the rows are read.
    return !allNull || bounds.min(column) != null || bounds.max(column) != null;
  }

  /** Whether the leaf may be true or false of a value, null left out. */
  private boolean valuesMayBe(boolean truth, Predicate leaf) {
    if (leaf instanceof StartsWith startsWith) {
      Object min = bounds.min(startsWith.column());
      Object max = bounds.max(startsWith.column());
      return truth
          ? someMayStartWith((UTF8String) min, (UTF8String) max, startsWith.prefix())
          : someMayStartOtherwise((UTF8String) min, (UTF8String) max, startsWith.prefix());
    }
    Range range = Range.of(Predicates.column(leaf), bounds);
    if (leaf instanceof Compare compare) {
      Comparison comparison = compare.comparison();
      return range.mayHold(truth ? comparison : opposite(comparison), compare.literal());
    }
    In in = (In) leaf;
    return truth
        ? in.literals().stream().anyMatch(literal -> range.mayHold(Comparison.EQUAL, literal))
        : !(range.isOneValue() && Predicates.isOneOf(range.min(), in, range.order()));
  }

  private static Comparison opposite(Comparison comparison) {
    return switch (comparison) {
      case EQUAL -> Comparison.NOT_EQUAL;
      case NOT_EQUAL -> Comparison.EQUAL;
      case LESS -> Comparison.GREATER_OR_EQUAL;
      case LESS_OR_EQUAL -> Comparison.GREATER;
      case GREATER -> Comparison.LESS_OR_EQUAL;
      case GREATER_OR_EQUAL -> Comparison.LESS;
    };
  }

  private static boolean someMayStartWith(UTF8String min, UTF8String max, UTF8String prefix) {
    // The texts that start so are a range: from the prefix itself up to the last one above it.
    boolean belowAll = max != null && max.compareTo(prefix) < 0;
    boolean aboveAll = min != null && min.compareTo(prefix) > 0 && !min.startsWith(prefix);
    return !belowAll && !aboveAll;
  }

  private static boolean someMayStartOtherwise(UTF8String min, UTF8String max, UTF8String prefix) {
    if (prefix.numBytes() == 0) {
      return false;
    }
    // Both ends start so only if everything between them does.
    return min == null || max == null || !min.startsWith(prefix) || !max.startsWith(prefix);
  }

  /**
   * The values from min to max; null = no end there.
   *
   * @param nan what may be there beside them, as bounds do not tell of NaN although it is above all
   *     numbers; null where the type has none
   */
  private record Range(ValueOrder order, Object min, Object max, Object nan) {

    static Range of(Column column, Bounds bounds) {
      ValueOrder order = ValueOrder.of(column.type());
      Object min = bounds.min(column);
      Object max = bounds.max(column);
      Object nan = nan(column.type());
      if (nan != null && (isNan(min, nan, order) || isNan(max, nan, order))) {
        return new Range(order, null, null, nan); // some writers let NaN spoil the bounds
      }
      return new Range(order, min, max, nan);
    }

    private static Object nan(ColumnType type) {
      return switch (((ColumnType.Scalar) type).kind()) {
        case FLOAT -> Float.NaN;
        case DOUBLE -> Double.NaN;
        default -> null;
      };
    }

    private static boolean isNan(Object value, Object nan, ValueOrder order) {
      return value != null && order.compare(value, nan) == 0;
    }

    boolean isOneValue() {
      return nan == null && min != null && max != null && order.compare(min, max) == 0;
    }

    /** Whether the comparison with the literal may hold of a value in here. */
    boolean mayHold(Comparison comparison, Object literal) {
      if (nan != null && Predicates.holds(comparison, order.compare(nan, literal))) {
        return true;
      }
      boolean belowOrEqual = min == null || order.compare(min, literal) <= 0;
      boolean aboveOrEqual = max == null || order.compare(max, literal) >= 0;
      boolean below = min == null || order.compare(min, literal) < 0;
      boolean above = max == null || order.compare(max, literal) > 0;
      return switch (comparison) {
        case EQUAL -> belowOrEqual && aboveOrEqual;
        case NOT_EQUAL -> below || above || !(belowOrEqual && aboveOrEqual);
        case LESS -> below;
        case LESS_OR_EQUAL -> belowOrEqual;
        case GREATER -> above;
        case GREATER_OR_EQUAL -> aboveOrEqual;
      };
    }
  }
}
