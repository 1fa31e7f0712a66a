package io.obelus.core.file.index.bsi;

import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.Decimal;

/**
 * The signed 64-bit numbers that stand for the values of a column, in the same order: a decimal's
 * unscaled number, days, milliseconds of the day; of a time stamp milliseconds up to a precision of
 * 3, else microseconds. Immutable.
 */
final class Numbers {

  /** Stands for no value of an index: its absolute value has 64 bits. */
  static final long NONE = Long.MIN_VALUE;

  private static final int MICROS_PER_MILLI = 1000;
  private static final int MILLIS_PRECISION = 3;
  private static final int MICROS_PRECISION = 6;
  private static final int LONGEST_NUMBER = Long.SIZE - 1; // bits without the sign

  private final Scalar type;
  private final boolean millis; // of a value in microseconds

  /**
   * Where a literal stands among the numbers.
   *
   * @param floor the largest number that is not above it; the smallest of all if none is
   * @param exact whether it is that number; else it is above it, and below the next
   */
  record Literal(long floor, boolean exact) {}

  Numbers(Scalar type) {
    this.type = type;
    this.millis = isTimestamp(type) && type.precision() <= MILLIS_PRECISION;
  }

  static boolean supports(ColumnType type) {
    if (!(type instanceof Scalar scalar)) {
      return false;
    }
    return switch (scalar.kind()) {
      case TINYINT, SMALLINT, INT, BIGINT, DATE, TIME, DECIMAL, TIMESTAMP, TIMESTAMP_LTZ -> true;
      case BOOLEAN, FLOAT, DOUBLE, CHAR, VARCHAR, BINARY, VARBINARY, VARIANT -> false;
    };
  }

  private static boolean isTimestamp(Scalar type) {
    return type.kind() == ColumnType.Kind.TIMESTAMP || type.kind() == ColumnType.Kind.TIMESTAMP_LTZ;
  }

  /** Whether a number may stand for several values: nanoseconds that were cut off. */
  boolean areCut() {
    return isTimestamp(type) && type.precision() > MICROS_PRECISION;
  }

  /** The number of a value that is not null; {@link #NONE} if it has none. */
  long get(SpecializedGetters values, int ordinal) {
    return switch (type.kind()) {
      case TINYINT -> values.getByte(ordinal);
      case SMALLINT -> values.getShort(ordinal);
      case INT, DATE, TIME -> values.getInt(ordinal);
      case BIGINT -> values.getLong(ordinal);
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long micros = values.getLong(ordinal);
        yield millis ? Math.floorDiv(micros, MICROS_PER_MILLI) : micros;
      }
      case DECIMAL -> unscaled(values.getDecimal(ordinal, type.precision(), type.scale()));
      default -> throw new IllegalStateException("no numbers for " + type);
    };
  }

  private long unscaled(Decimal value) {
    if (type.precision() <= Decimal.MAX_LONG_DIGITS() && value.scale() == type.scale()) {
      return value.toUnscaledLong();
    }
    Literal number = literal(value);
    return number.exact ? number.floor : NONE;
  }

  /** Where a value of the column's type, or a decimal of another scale, stands. */
  Literal literal(Object value) {
    if (value instanceof Decimal decimal) {
      return unscaled(decimal.toJavaBigDecimal());
    }
    long number = ((Number) value).longValue();
    if (!millis) {
      return new Literal(number, true);
    }
    return new Literal(
        Math.floorDiv(number, MICROS_PER_MILLI), Math.floorMod(number, MICROS_PER_MILLI) == 0);
  }

  private Literal unscaled(BigDecimal value) {
    BigDecimal floor = value.setScale(type.scale(), RoundingMode.FLOOR);
    BigInteger number = floor.unscaledValue();
    if (number.bitLength() > LONGEST_NUMBER) {
      return new Literal(number.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE, false);
    }
    return new Literal(number.longValue(), floor.compareTo(value) == 0);
  }

  /** The value that a number stands for, as Spark keeps it; null if the type has no such value. */
  Object value(long number) {
    return switch (type.kind()) {
      case TINYINT -> (byte) number == number ? (Object) (byte) number : null;
      case SMALLINT -> (short) number == number ? (Object) (short) number : null;
      case INT, DATE, TIME -> (int) number == number ? (Object) (int) number : null;
      case BIGINT -> number;
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long micros = millis ? number * MICROS_PER_MILLI : number;
        yield !millis || micros / MICROS_PER_MILLI == number ? (Object) micros : null;
      }
      case DECIMAL -> decimal(BigDecimal.valueOf(number, type.scale()));
      default -> throw new IllegalStateException("no numbers for " + type);
    };
  }

  private Decimal decimal(BigDecimal value) {
    return value.precision() > type.precision()
        ? null
        : Decimal.apply(value, type.precision(), type.scale());
  }
}
