package io.obelus.core.file.index.bloom;

import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Scalar;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The 64-bit hash of the values of a column (spec chapter 23): XXH64 of texts and bytes, and of
 * anything else Thomas Wang's hash of a number. Immutable.
 */
final class ValueHash {

  private static final long SEED = 0;
  private static final int MICROS_PER_MILLI = 1000;
  private static final int MILLIS_PRECISION = 3;
  private static final long[] NONE = {};

  private final Scalar type;
  private final boolean millis; // of a value in microseconds

  ValueHash(Scalar type) {
    this.type = type;
    boolean timestamp =
        type.kind() == ColumnType.Kind.TIMESTAMP || type.kind() == ColumnType.Kind.TIMESTAMP_LTZ;
    this.millis = timestamp && type.precision() <= MILLIS_PRECISION;
  }

  static boolean supports(ColumnType type) {
    if (!(type instanceof Scalar scalar)) {
      return false;
    }
    return switch (scalar.kind()) {
      case TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DATE, TIME -> true;
      case CHAR, VARCHAR, BINARY, VARBINARY, TIMESTAMP, TIMESTAMP_LTZ -> true;
      case BOOLEAN, DECIMAL, VARIANT -> false;
    };
  }

  /** The hash of a value that is not null. */
  long of(SpecializedGetters values, int ordinal) {
    return switch (type.kind()) {
      case TINYINT -> ofNumber(values.getByte(ordinal));
      case SMALLINT -> ofNumber(values.getShort(ordinal));
      case INT, DATE, TIME -> ofNumber(values.getInt(ordinal));
      case BIGINT -> ofNumber(values.getLong(ordinal));
      case FLOAT -> ofFloat(values.getFloat(ordinal));
      case DOUBLE -> ofDouble(values.getDouble(ordinal));
      case CHAR, VARCHAR -> ofText(values.getUTF8String(ordinal));
      case BINARY, VARBINARY -> ofBytes(values.getBinary(ordinal));
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long micros = values.getLong(ordinal);
        yield ofNumber(millis ? Math.floorDiv(micros, MICROS_PER_MILLI) : micros);
      }
      default -> throw new IllegalStateException("no hash for " + type);
    };
  }

  /** The hashes of all values that equal a literal: two of zero, none of a time in between. */
  long[] ofLiteral(Object literal) {
    return switch (type.kind()) {
      case FLOAT -> ofFloats((Float) literal);
      case DOUBLE -> ofDoubles((Double) literal);
      case CHAR, VARCHAR -> new long[] {ofText((UTF8String) literal)};
      case BINARY, VARBINARY -> new long[] {ofBytes((byte[]) literal)};
      default -> ofNumbers(((Number) literal).longValue());
    };
  }

  private static long[] ofFloats(float literal) {
    return literal == 0 ? new long[] {ofFloat(0f), ofFloat(-0f)} : new long[] {ofFloat(literal)};
  }

  private static long[] ofDoubles(double literal) {
    return literal == 0 ? new long[] {ofDouble(0d), ofDouble(-0d)} : new long[] {ofDouble(literal)};
  }

  private long[] ofNumbers(long literal) {
    if (!millis) {
      return new long[] {ofNumber(literal)};
    }
    boolean whole = Math.floorMod(literal, MICROS_PER_MILLI) == 0;
    return whole ? new long[] {ofNumber(Math.floorDiv(literal, MICROS_PER_MILLI))} : NONE;
  }

  private static long ofFloat(float value) {
    return ofNumber(Float.floatToIntBits(value)); // one NaN
  }

  private static long ofDouble(double value) {
    return ofNumber(Double.doubleToLongBits(value)); // one NaN
  }

  private static long ofText(UTF8String value) {
    return XXH64.hashUnsafeBytes(
        value.getBaseObject(), value.getBaseOffset(), value.numBytes(), SEED);
  }

  private static long ofBytes(byte[] value) {
    return XXH64.hashUnsafeBytes(value, Platform.BYTE_ARRAY_OFFSET, value.length, SEED);
  }

  /** With arithmetic shifts, not the logical ones that it is mostly published with. */
  private static long ofNumber(long number) {
    long hash = ~number + (number << 21);
    hash ^= hash >> 24;
    hash += (hash << 3) + (hash << 8);
    hash ^= hash >> 14;
    hash += (hash << 2) + (hash << 4);
    hash ^= hash >> 28;
    return hash + (hash << 31);
  }
}
