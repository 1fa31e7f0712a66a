package io.obelus.core.file.index.key;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.row.ColumnType.Scalar;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Keys that are numbers in the end: in memory a long that orders as the values do. */
final class NumberKeys extends KeyCoding<Long> {

  private static final int MILLIS_PRECISION = 3;
  private static final int MICROS_PRECISION = 6;
  private static final long MICROS_PER_MILLI = 1000;
  private static final long MINUS_ZERO = -1; // in the order of the bits just below 0.0

  private final Scalar type;

  NumberKeys(Scalar type) {
    this.type = type;
  }

  @Override
  public int fixedSize() {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT -> Byte.BYTES;
      case SMALLINT -> Short.BYTES;
      case INT, DATE, TIME, FLOAT -> Integer.BYTES;
      default -> Long.BYTES;
    };
  }

  @Override
  public boolean isExact() {
    return !isTimestamp() || type.precision() <= MICROS_PRECISION;
  }

  private boolean isTimestamp() {
    return switch (type.kind()) {
      case TIMESTAMP, TIMESTAMP_LTZ -> true;
      default -> false;
    };
  }

  /** The key of a value that stands in a row. */
  long key(SpecializedGetters values, int ordinal) {
    return switch (type.kind()) {
      case BOOLEAN -> values.getBoolean(ordinal) ? 1 : 0;
      case TINYINT -> values.getByte(ordinal);
      case SMALLINT -> values.getShort(ordinal);
      case INT, DATE, TIME -> values.getInt(ordinal);
      case BIGINT -> values.getLong(ordinal);
      case FLOAT -> ordered(values.getFloat(ordinal));
      case DOUBLE -> ordered(values.getDouble(ordinal));
      case TIMESTAMP, TIMESTAMP_LTZ -> time(values.getLong(ordinal));
      case DECIMAL -> values.getDecimal(ordinal, type.precision(), type.scale()).toUnscaledLong();
      default -> throw new IllegalStateException(type.toString());
    };
  }

  private long time(long micros) {
    return type.precision() <= MILLIS_PRECISION ? Math.floorDiv(micros, MICROS_PER_MILLI) : micros;
  }

  /** IEEE bits, made to ascend: those of negative numbers are turned round. */
  private static long ordered(float value) {
    int bits = Float.floatToIntBits(value); // one NaN
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }

  private static long ordered(double value) {
    long bits = Double.doubleToLongBits(value); // one NaN
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }

  private static int floatBits(long key) {
    int bits = (int) key;
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }

  private static long doubleBits(long key) {
    return key ^ ((key >> 63) & Long.MAX_VALUE);
  }

  void write(long key, ByteBuffer out) {
    switch (type.kind()) {
      case BOOLEAN, TINYINT -> out.put((byte) key);
      case SMALLINT -> out.putShort((short) key);
      case INT, DATE, TIME -> out.putInt((int) key);
      case FLOAT -> out.putInt(floatBits(key));
      case DOUBLE -> out.putLong(doubleBits(key));
      default -> out.putLong(key);
    }
  }

  @Override
  public Long read(KeyInput in, String what) throws IOException {
    return switch (type.kind()) {
      case BOOLEAN -> readBoolean(in, what);
      case TINYINT -> (long) (byte) in.byteOf(what);
      case SMALLINT -> (long) in.shortOf(what);
      case INT, DATE, TIME -> (long) in.intOf(what);
      case FLOAT -> ordered(Float.intBitsToFloat(in.intOf(what)));
      case DOUBLE -> ordered(Double.longBitsToDouble(in.longOf(what)));
      default -> in.longOf(what);
    };
  }

  private static long readBoolean(KeyInput in, String what) throws IOException {
    int found = in.byteOf(what);
    if (found > 1) {
      throw new CorruptFileException(in.place().plus(-1), what, "0 or 1", found);
    }
    return found;
  }

  @Override
  public Object value(Long key) {
    return switch (type.kind()) {
      case BOOLEAN -> key != 0;
      case TINYINT -> key.byteValue();
      case SMALLINT -> key.shortValue();
      case INT, DATE, TIME -> key.intValue();
      case FLOAT -> 0.0f + Float.intBitsToFloat(floatBits(key)); // -0.0 becomes 0.0
      case DOUBLE -> 0.0 + Double.longBitsToDouble(doubleBits(key));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          type.precision() <= MILLIS_PRECISION ? (Long) (key * MICROS_PER_MILLI) : key;
      case DECIMAL -> Decimal.apply(key, type.precision(), type.scale());
      default -> key;
    };
  }

  @Override
  NumberTable newTable() {
    return new NumberTable(this);
  }

  @Override
  Literal<Long> literal(Object literal) {
    return switch (type.kind()) {
      case BOOLEAN -> one((Boolean) literal ? 1 : 0);
      case FLOAT -> real(ordered((Float) literal));
      case DOUBLE -> real(ordered((Double) literal));
      case TIMESTAMP, TIMESTAMP_LTZ -> time((Long) literal);
      case DECIMAL -> decimal((Decimal) literal);
      default -> one(((Number) literal).longValue());
    };
  }

  private static Literal<Long> one(long key) {
    return new Literal<>(key, key, false);
  }

  private static Literal<Long> real(long key) {
    return key == 0 || key == MINUS_ZERO ? new Literal<>(MINUS_ZERO, 0L, false) : one(key);
  }

  private Literal<Long> time(Long micros) {
    long key = time(micros.longValue());
    boolean cut = type.precision() <= MILLIS_PRECISION && key * MICROS_PER_MILLI != micros;
    return new Literal<>(key, key, cut);
  }

  private Literal<Long> decimal(Decimal literal) {
    BigDecimal exact = literal.toJavaBigDecimal();
    BigDecimal floor = exact.setScale(type.scale(), RoundingMode.FLOOR);
    BigInteger unscaled = floor.unscaledValue();
    if (unscaled.bitLength() >= Long.SIZE) {
      long end = unscaled.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE; // no key is so large
      return new Literal<>(end, end, true);
    }
    long key = unscaled.longValue();
    return new Literal<>(key, key, floor.compareTo(exact) != 0);
  }

  @Override
  KeyInterval<Long> startingWith(UTF8String prefix) {
    throw new IllegalArgumentException("a value of type " + type + " does not start with a text");
  }
}
