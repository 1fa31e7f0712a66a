package io.obelus.core.file.data;

import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Set;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;

/**
 * Turns the values of a column into a wider type that the column has got since the file was written
 * (spec chapter 13, implicit changes that lose nothing or are allowed to: integers to floating
 * point numbers).
 */
@FunctionalInterface
public interface Widening {

  /**
   * Puts the value at {@code row} of {@code from}, which is not null, at {@code at} of {@code to}.
   */
  void put(WritableColumnVector from, int row, WritableColumnVector to, int at);

  Set<Kind> INTEGERS = Set.of(Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT);
  Set<Kind> LENGTHS = Set.of(Kind.CHAR, Kind.VARCHAR, Kind.BINARY, Kind.VARBINARY);
  Set<Kind> TEXTS = Set.of(Kind.CHAR, Kind.VARCHAR);
  Set<Kind> BYTES = Set.of(Kind.BINARY, Kind.VARBINARY);
  Set<Kind> TIMES = Set.of(Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ);

  /**
   * The way from one type to the other, nullability aside; null if values can stay as they are.
   *
   * @param path of the file, for the message
   * @throws IllegalArgumentException if there is no such way
   */
  static Widening of(String path, String column, ColumnType.Scalar from, ColumnType.Scalar to) {
    if (isNothing(from, to)) {
      return null;
    }
    Widening widening = widening(from, to);
    if (widening == null) {
      throw new IllegalArgumentException(
          "%s: column '%s' is %s in the file and should be read as %s, which cannot be done yet; rewrite the file with a release that can, or change the column back"
              .formatted(path, column, name(from), name(to)));
    }
    return widening;
  }

  /** Whether values of one type can be read as the other. */
  static boolean isPossible(ColumnType.Scalar from, ColumnType.Scalar to) {
    return isNothing(from, to) || widening(from, to) != null;
  }

  private static String name(ColumnType.Scalar type) {
    String name = type.kind().name();
    if (type.kind() == Kind.DECIMAL) {
      return name + "(" + type.precision() + ", " + type.scale() + ")";
    }
    return type.precision() == 0 ? name : name + "(" + type.precision() + ")";
  }

  /** Whether values of one type can stay as they are to be values of the other. */
  static boolean isNothing(ColumnType.Scalar from, ColumnType.Scalar to) {
    Kind kind = from.kind();
    if (LENGTHS.contains(kind)) {
      boolean alike = TEXTS.contains(kind) ? TEXTS.contains(to.kind()) : BYTES.contains(to.kind());
      return alike && from.precision() <= to.precision();
    } else if (TIMES.contains(kind)) {
      return kind == to.kind() && from.precision() <= to.precision();
    }
    return from.withNullable(true).equals(to.withNullable(true));
  }

  private static Widening widening(ColumnType.Scalar from, ColumnType.Scalar to) {
    boolean integer = INTEGERS.contains(from.kind());
    return switch (to.kind()) {
      case SMALLINT, INT, BIGINT ->
          integer && from.kind().compareTo(to.kind()) < 0
              ? toInteger(from.kind(), to.kind())
              : null;
      case FLOAT ->
          integer ? (v, row, out, at) -> out.putFloat(at, whole(from.kind(), v, row)) : null;
      case DOUBLE -> toDouble(from);
      case DECIMAL -> toDecimal(from, to);
      default -> null;
    };
  }

  private static Widening toInteger(Kind from, Kind to) {
    return switch (to) {
      case SMALLINT -> (v, row, out, at) -> out.putShort(at, v.getByte(row));
      case INT -> (v, row, out, at) -> out.putInt(at, (int) whole(from, v, row));
      default -> (v, row, out, at) -> out.putLong(at, whole(from, v, row));
    };
  }

  private static Widening toDouble(ColumnType.Scalar from) {
    if (from.kind() == Kind.FLOAT) {
      return (v, row, out, at) -> out.putDouble(at, v.getFloat(row));
    } else if (INTEGERS.contains(from.kind())) {
      return (v, row, out, at) -> out.putDouble(at, whole(from.kind(), v, row));
    }
    return null;
  }

  /** Only to decimals that hold every value of the old type. */
  private static Widening toDecimal(ColumnType.Scalar from, ColumnType.Scalar to) {
    int precision = to.precision();
    int scale = to.scale();
    int places = precision - scale;
    if (from.kind() == Kind.DECIMAL) {
      if (scale < from.scale() || places < from.precision() - from.scale()) {
        return null;
      }
      return (v, row, out, at) -> {
        BigDecimal value =
            v.getDecimal(row, from.precision(), from.scale())
                .toJavaBigDecimal()
                .setScale(scale, RoundingMode.UNNECESSARY);
        out.putDecimal(at, Decimal.apply(value, precision, scale), precision);
      };
    } else if (INTEGERS.contains(from.kind()) && places >= digits(from.kind())) {
      return (v, row, out, at) -> {
        BigDecimal value =
            BigDecimal.valueOf(whole(from.kind(), v, row))
                .setScale(scale, RoundingMode.UNNECESSARY);
        out.putDecimal(at, Decimal.apply(value, precision, scale), precision);
      };
    }
    return null;
  }

  private static int digits(Kind integer) {
    return switch (integer) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INT -> 10;
      default -> 19;
    };
  }

  private static long whole(Kind kind, WritableColumnVector from, int row) {
    return switch (kind) {
      case TINYINT -> from.getByte(row);
      case SMALLINT -> from.getShort(row);
      case INT -> from.getInt(row);
      default -> from.getLong(row);
    };
  }
}
