package io.obelus.core.row;

import java.io.Serializable;
import java.util.List;

/**
 * A condition over the columns of a row, in SQL's three-valued logic: a row is taken where the
 * condition is true, not where it is false or unknown.
 *
 * <p>Leaves name a column of the scan's row type, so they stay right when an old file knows the
 * column under another name. Literals are Spark's internal values of the column's Spark type
 * ({@code Integer}, {@code Long}, {@code UTF8String}, {@code Decimal}, {@code byte[]}, days and
 * microseconds as {@code Integer} and {@code Long}) and never null. Comparison is Spark's: NaN
 * equals NaN and is above all, -0.0 equals 0.0, text by unsigned bytes.
 */
public sealed interface Predicate extends Serializable {

  enum Comparison {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL
  }

  /** True for every row, or for none. */
  record Constant(boolean value) implements Predicate {}

  /** column op literal; unknown where the column is null. */
  record Compare(Column column, Comparison comparison, Object literal) implements Predicate {}

  /** The column is one of the literals; unknown where it is null. */
  record In(Column column, List<Object> literals) implements Predicate {
    public In {
      literals = List.copyOf(literals);
    }
  }

  /** The column is null: never unknown. */
  record IsNull(Column column) implements Predicate {}

  /** The text begins with the literal; unknown where the column is null. */
  record StartsWith(Column column, org.apache.spark.unsafe.types.UTF8String prefix)
      implements Predicate {}

  record And(List<Predicate> parts) implements Predicate {
    public And {
      parts = List.copyOf(parts);
    }
  }

  record Or(List<Predicate> parts) implements Predicate {
    public Or {
      parts = List.copyOf(parts);
    }
  }

  record Not(Predicate part) implements Predicate {}

  Predicate ALWAYS = new Constant(true);
}
