package io.obelus.spark.expression;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Spark's conditions as {@link Predicate}s.
 *
 * <p>Two translations, for two uses. {@link #weaker} is for skipping: it is true wherever Spark's
 * condition is true, maybe elsewhere too, so Spark has to check again. {@link #exact} is for
 * deciding: it is true, false and unknown where Spark's condition is.
 */
public final class SparkPredicates {

  private final RowType columns;
  private final boolean exact;

  private SparkPredicates(RowType columns, boolean exact) {
    this.columns = columns;
    this.exact = exact;
  }

  /** A condition that no row fails which {@code condition} takes; empty if there is none. */
  public static Optional<Predicate> weaker(
      org.apache.spark.sql.connector.expressions.filter.Predicate condition, RowType columns) {
    return Optional.ofNullable(new SparkPredicates(columns, false).translate(condition, true));
  }

  /** The same condition; empty if it cannot be said over {@code columns} alone. */
  public static Optional<Predicate> exact(
      org.apache.spark.sql.connector.expressions.filter.Predicate condition, RowType columns) {
    return Optional.ofNullable(new SparkPredicates(columns, true).translate(condition, false));
  }

  /**
   * @param partly whether a part of an AND may be left out: not below a NOT, where less would be
   *     more
   * @return null if it cannot be said
   */
  private Predicate translate(Expression expression, boolean partly) {
    if (!(expression instanceof org.apache.spark.sql.connector.expressions.filter.Predicate node)) {
      return null;
    }
    Expression[] children = node.children();
    return switch (node.name()) {
      case "ALWAYS_TRUE" -> Predicate.ALWAYS;
      case "ALWAYS_FALSE" -> new Predicate.Constant(false);
      case "AND" -> and(children, partly);
      case "OR" -> or(children, partly);
      case "NOT" -> not(translate(children[0], false));
      case "IS_NULL" -> isNull(children[0]);
      case "IS_NOT_NULL" -> not(isNull(children[0]));
      case "IN" -> in(children);
      case "STARTS_WITH" -> startsWith(children);
      case "=" -> compare(Comparison.EQUAL, children);
      case "<>" -> compare(Comparison.NOT_EQUAL, children);
      case "<" -> compare(Comparison.LESS, children);
      case "<=" -> compare(Comparison.LESS_OR_EQUAL, children);
      case ">" -> compare(Comparison.GREATER, children);
      case ">=" -> compare(Comparison.GREATER_OR_EQUAL, children);
      case "<=>" -> equalOrBothNull(children);
      default -> null;
    };
  }

  private Predicate and(Expression[] children, boolean partly) {
    List<Predicate> parts = new ArrayList<>();
    for (Expression child : children) {
      Predicate part = translate(child, partly);
      if (part != null) {
        parts.add(part);
      } else if (!partly) {
        return null;
      }
    }
    return parts.isEmpty() ? null : new Predicate.And(parts);
  }

  private Predicate or(Expression[] children, boolean partly) {
    List<Predicate> parts = new ArrayList<>();
    for (Expression child : children) {
      Predicate part = translate(child, partly);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return new Predicate.Or(parts);
  }

  private static Predicate not(Predicate part) {
    return part == null ? null : new Predicate.Not(part);
  }

  private Predicate isNull(Expression child) {
    Column column = column(child);
    return column == null ? null : new Predicate.IsNull(column);
  }

  private Predicate in(Expression[] children) {
    Column column = comparable(children[0]);
    if (column == null) {
      return null;
    }
    List<Object> literals = new ArrayList<>(children.length - 1);
    for (int i = 1; i < children.length; i++) {
      Literal<?> literal = literal(column, children[i]);
      if (literal == null) {
        return null;
      }
      if (literal.value() != null) {
        literals.add(literal.value());
      } else if (exact) {
        return null; // x IN (1, NULL) is never false
      }
    }
    return literals.isEmpty() ? unknown() : new Predicate.In(column, literals);
  }

  private Predicate startsWith(Expression[] children) {
    Column column = comparable(children[0]);
    Literal<?> literal = column == null ? null : literal(column, children[1]);
    if (literal == null) {
      return null;
    }
    return literal.value() == null
        ? unknown()
        : literal.value() instanceof UTF8String prefix
            ? new Predicate.StartsWith(column, prefix)
            : null;
  }

  private Predicate compare(Comparison comparison, Expression[] children) {
    return children[0] instanceof Literal
        ? compare(children[1], mirrored(comparison), children[0])
        : compare(children[0], comparison, children[1]);
  }

  private Predicate compare(Expression left, Comparison comparison, Expression right) {
    Column column = comparable(left);
    Literal<?> literal = column == null ? null : literal(column, right);
    if (literal == null) {
      return null;
    }
    return literal.value() == null
        ? unknown()
        : new Predicate.Compare(column, comparison, literal.value());
  }

  private static Comparison mirrored(Comparison comparison) {
    return switch (comparison) {
      case EQUAL, NOT_EQUAL -> comparison;
      case LESS -> Comparison.GREATER;
      case LESS_OR_EQUAL -> Comparison.GREATER_OR_EQUAL;
      case GREATER -> Comparison.LESS;
      case GREATER_OR_EQUAL -> Comparison.LESS_OR_EQUAL;
    };
  }

  private Predicate equalOrBothNull(Expression[] children) {
    Expression left = children[0] instanceof Literal ? children[1] : children[0];
    Expression right = children[0] instanceof Literal ? children[0] : children[1];
    Column column = comparable(left);
    Literal<?> literal = column == null ? null : literal(column, right);
    if (literal == null) {
      return null;
    }
    Predicate isNull = new Predicate.IsNull(column);
    if (literal.value() == null) {
      return isNull;
    }
    return new Predicate.And(
        List.of(
            new Predicate.Not(isNull),
            new Predicate.Compare(column, Comparison.EQUAL, literal.value())));
  }

  /**
   * For a condition that is unknown in every row. No row is taken, nor by its negation; so for
   * skipping false will do: its negation, true, is only weaker.
   */
  private Predicate unknown() {
    return exact ? null : new Predicate.Constant(false);
  }

  private Column column(Expression expression) {
    if (expression instanceof NamedReference reference && reference.fieldNames().length == 1) {
      int index = columns.indexOf(reference.fieldNames()[0]);
      return index < 0 ? null : columns.column(index);
    }
    return null;
  }

  /** The column, if its values in files are the values that Spark sees. */
  private Column comparable(Expression expression) {
    Column column = column(expression);
    return column != null
            && column.type() instanceof ColumnType.Scalar type
            && !cutWhenRead(type)
            && type.kind() != Kind.VARIANT
        ? column
        : null;
  }

  /** Spark's time stamps end at microseconds: two different ones in a file may look equal to it. */
  private static boolean cutWhenRead(ColumnType.Scalar type) {
    return (type.kind() == Kind.TIMESTAMP || type.kind() == Kind.TIMESTAMP_LTZ)
        && type.precision() > 6;
  }

  /** The literal, if it is of the column's own type. */
  private static Literal<?> literal(Column column, Expression expression) {
    if (!(expression instanceof Literal<?> literal)) {
      return null;
    }
    DataType type = SparkTypes.toSpark(column.type());
    if (literal.value() == null) {
      return literal;
    }
    return literal.dataType().equals(type) && isInternal(literal.value(), type) ? literal : null;
  }

  private static boolean isInternal(Object value, DataType type) {
    if (type instanceof BooleanType) {
      return value instanceof Boolean;
    } else if (type instanceof ByteType) {
      return value instanceof Byte;
    } else if (type instanceof ShortType) {
      return value instanceof Short;
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return value instanceof Integer;
    } else if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return value instanceof Long;
    } else if (type instanceof FloatType) {
      return value instanceof Float;
    } else if (type instanceof DoubleType) {
      return value instanceof Double;
    } else if (type instanceof DecimalType) {
      return value instanceof Decimal;
    } else if (type instanceof StringType) {
      return value instanceof UTF8String;
    } else {
      return type instanceof BinaryType && value instanceof byte[];
    }
  }
}
