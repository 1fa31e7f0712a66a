package io.obelus.core.row;

import io.obelus.core.row.ColumnType.Scalar;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Values of one type as 64-bit numbers that compare as the values do: equal numbers for equal
 * values. Floating point numbers have their bits turned so that they ascend; the two zeros are one,
 * and NaN is above all.
 */
abstract class SortableLongs {

  /** The value of a row that is not null. */
  abstract long at(ColumnVector vector, int row);

  /** Whether a literal can be said so too: a decimal of another scale cannot. */
  boolean takes(Object literal) {
    return true;
  }

  /** The number of a literal that it {@link #takes}. */
  abstract long of(Object literal);

  /** Null if values of the type cannot be said so. */
  static SortableLongs of(ColumnType type) {
    return type instanceof Scalar scalar ? of(scalar) : null;
  }

  private static SortableLongs of(Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> new Booleans();
      case TINYINT -> new Bytes();
      case SMALLINT -> new Shorts();
      case INT, DATE, TIME -> new Ints();
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> new Longs();
      case FLOAT -> new Floats();
      case DOUBLE -> new Doubles();
      case DECIMAL ->
          type.precision() <= Decimal.MAX_LONG_DIGITS()
              ? new Decimals(type.precision(), type.scale())
              : null;
      case CHAR, VARCHAR, BINARY, VARBINARY, VARIANT -> null;
    };
  }

  private static final class Booleans extends SortableLongs {
    @Override
    long at(ColumnVector vector, int row) {
      return vector.getBoolean(row) ? 1 : 0;
    }

    @Override
    long of(Object literal) {
      return (Boolean) literal ? 1 : 0;
    }
  }

  private abstract static class Integers extends SortableLongs {
    @Override
    long of(Object literal) {
      return ((Number) literal).longValue();
    }
  }

  private static final class Bytes extends Integers {
    @Override
    long at(ColumnVector vector, int row) {
      return vector.getByte(row);
    }
  }

  private static final class Shorts extends Integers {
    @Override
    long at(ColumnVector vector, int row) {
      return vector.getShort(row);
    }
  }

  private static final class Ints extends Integers {
    @Override
    long at(ColumnVector vector, int row) {
      return vector.getInt(row);
    }
  }

  private static final class Longs extends Integers {
    @Override
    long at(ColumnVector vector, int row) {
      return vector.getLong(row);
    }
  }

  private static final class Floats extends SortableLongs {
    @Override
    long at(ColumnVector vector, int row) {
      return sortable(vector.getFloat(row));
    }

    @Override
    long of(Object literal) {
      return sortable((Float) literal);
    }
  }

  private static final class Doubles extends SortableLongs {
    @Override
    long at(ColumnVector vector, int row) {
      return sortable(vector.getDouble(row));
    }

    @Override
    long of(Object literal) {
      return sortable((Double) literal);
    }
  }

  /** A negative number's bits ascend with its distance from zero: all but the sign are inverted. */
  private static long sortable(double value) {
    long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }

  private static final class Decimals extends SortableLongs {
    private final int precision;
    private final int scale;

    Decimals(int precision, int scale) {
      this.precision = precision;
      this.scale = scale;
    }

    @Override
    long at(ColumnVector vector, int row) {
      return precision <= Decimal.MAX_INT_DIGITS() ? vector.getInt(row) : vector.getLong(row);
    }

    @Override
    boolean takes(Object literal) {
      Decimal decimal = (Decimal) literal;
      return decimal.scale() == scale && decimal.precision() <= Decimal.MAX_LONG_DIGITS();
    }

    @Override
    long of(Object literal) {
      return ((Decimal) literal).toUnscaledLong();
    }
  }
}
