package io.obelus.core.row;

import io.obelus.core.row.ColumnType.Scalar;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The order of the values of one type (spec chapter 07), which is Spark's: numbers, decimals and
 * time stamps by value, text and bytes by unsigned bytes, false before true, NaN equal to NaN and
 * above all, -0.0 equal to 0.0. Thread-safe and without state; neither side is null.
 */
abstract class ValueOrder implements Comparator<Object> {

  /** Compares two values that stand in rows. */
  abstract int compare(SpecializedGetters left, int i, SpecializedGetters right, int j);

  /** The value that stands in a row, as {@link #compare(Object, Object)} takes it. */
  abstract Object get(SpecializedGetters row, int ordinal);

  /** IllegalArgumentException if values of the type have no order. */
  static ValueOrder of(ColumnType type) {
    if (type instanceof Scalar scalar) {
      return of(scalar);
    }
    throw noOrder(type);
  }

  private static ValueOrder of(Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> new Booleans();
      case TINYINT -> new Bytes();
      case SMALLINT -> new Shorts();
      case INT, DATE, TIME -> new Ints();
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> new Longs();
      case FLOAT -> new Floats();
      case DOUBLE -> new Doubles();
      case DECIMAL -> new Decimals(type.precision(), type.scale());
      case CHAR, VARCHAR -> new Texts();
      case BINARY, VARBINARY -> new Binaries();
      case VARIANT -> throw noOrder(type);
    };
  }

  private static IllegalArgumentException noOrder(ColumnType type) {
    return new IllegalArgumentException(
        "values of type " + ColumnTypes.print(type) + " have no order");
  }

  private static final class Booleans extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return Boolean.compare(left.getBoolean(i), right.getBoolean(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return Boolean.compare((Boolean) left, (Boolean) right);
    }

    @Override
    Boolean get(SpecializedGetters row, int ordinal) {
      return row.getBoolean(ordinal);
    }
  }

  private static final class Bytes extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return Byte.compare(left.getByte(i), right.getByte(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return Byte.compare((Byte) left, (Byte) right);
    }

    @Override
    Byte get(SpecializedGetters row, int ordinal) {
      return row.getByte(ordinal);
    }
  }

  private static final class Shorts extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return Short.compare(left.getShort(i), right.getShort(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return Short.compare((Short) left, (Short) right);
    }

    @Override
    Short get(SpecializedGetters row, int ordinal) {
      return row.getShort(ordinal);
    }
  }

  private static final class Ints extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return Integer.compare(left.getInt(i), right.getInt(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return Integer.compare((Integer) left, (Integer) right);
    }

    @Override
    Integer get(SpecializedGetters row, int ordinal) {
      return row.getInt(ordinal);
    }
  }

  private static final class Longs extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return Long.compare(left.getLong(i), right.getLong(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return Long.compare((Long) left, (Long) right);
    }

    @Override
    Long get(SpecializedGetters row, int ordinal) {
      return row.getLong(ordinal);
    }
  }

  private static final class Floats extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return compareDoubles(left.getFloat(i), right.getFloat(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return compareDoubles((Float) left, (Float) right);
    }

    @Override
    Float get(SpecializedGetters row, int ordinal) {
      return row.getFloat(ordinal);
    }
  }

  private static final class Doubles extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return compareDoubles(left.getDouble(i), right.getDouble(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return compareDoubles((Double) left, (Double) right);
    }

    @Override
    Double get(SpecializedGetters row, int ordinal) {
      return row.getDouble(ordinal);
    }
  }

  private static int compareDoubles(double left, double right) {
    if (left == right) {
      return 0; // -0.0 and 0.0 too
    }
    return Double.compare(left, right);
  }

  private static final class Decimals extends ValueOrder {
    private final int precision;
    private final int scale;

    Decimals(int precision, int scale) {
      this.precision = precision;
      this.scale = scale;
    }

    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return get(left, i).compare(get(right, j));
    }

    @Override
    public int compare(Object left, Object right) {
      return ((Decimal) left).compare((Decimal) right);
    }

    @Override
    Decimal get(SpecializedGetters row, int ordinal) {
      return row.getDecimal(ordinal, precision, scale);
    }
  }

  private static final class Texts extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return left.getUTF8String(i).compareTo(right.getUTF8String(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return ((UTF8String) left).compareTo((UTF8String) right);
    }

    @Override
    UTF8String get(SpecializedGetters row, int ordinal) {
      return row.getUTF8String(ordinal);
    }
  }

  private static final class Binaries extends ValueOrder {
    @Override
    int compare(SpecializedGetters left, int i, SpecializedGetters right, int j) {
      return Arrays.compareUnsigned(left.getBinary(i), right.getBinary(j));
    }

    @Override
    public int compare(Object left, Object right) {
      return Arrays.compareUnsigned((byte[]) left, (byte[]) right);
    }

    @Override
    byte[] get(SpecializedGetters row, int ordinal) {
      return row.getBinary(ordinal);
    }
  }
}
