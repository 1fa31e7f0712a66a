package io.obelus.core.row;

import io.obelus.core.row.ColumnType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Puts the values of one type into their slots in an image and takes them out again (spec chapter
 * 05). A slot has {@link #width} bytes in an array and 8 in a row, where those beyond the width
 * stay zero.
 *
 * <p>{@code base} is where the enclosing image starts: offsets in slots count from there.
 * Thread-safe and without state.
 */
abstract class ValueCodec {

  /** Bytes of a value's slot in an array: 1, 2, 4 or 8. */
  final int width;

  private ValueCodec(int width) {
    this.width = width;
  }

  /** Writes a value that is not null into the slot at position {@code at}. */
  abstract void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base);

  /** What a null column of a row, not of an array, takes besides its null bit: mostly nothing. */
  void writeNull(ImageBuffer to, int at, int base) {}

  /** The value in the slot at {@code at}, which is not null. */
  abstract Object read(Image from, int at);

  static ValueCodec of(ColumnType type) {
    if (type instanceof Scalar scalar) {
      return of(scalar);
    } else if (type instanceof ColumnType.Array array) {
      return new ArrayCodec(of(array.element()));
    } else if (type instanceof ColumnType.Multiset multiset) {
      return new MapCodec(of(multiset.element()), new IntCodec());
    } else if (type instanceof ColumnType.Map map) {
      return new MapCodec(of(map.key()), of(map.value()));
    }
    return new RowCodec(((ColumnType.Row) type).columns());
  }

  private static ValueCodec of(Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> new BooleanCodec();
      case TINYINT -> new ByteCodec();
      case SMALLINT -> new ShortCodec();
      case INT, DATE, TIME -> new IntCodec();
      case BIGINT -> new LongCodec();
      case FLOAT -> new FloatCodec();
      case DOUBLE -> new DoubleCodec();
      case DECIMAL ->
          type.precision() <= Decimal.MAX_LONG_DIGITS()
              ? new ShortDecimalCodec(type.precision(), type.scale())
              : new LongDecimalCodec(type.precision(), type.scale());
      case TIMESTAMP, TIMESTAMP_LTZ ->
          type.precision() <= 3 ? new MillisCodec() : new TimestampCodec();
      case CHAR, VARCHAR -> new TextCodec();
      case BINARY, VARBINARY -> new BinaryCodec();
      case VARIANT ->
          throw new IllegalArgumentException(
              "values of type VARIANT have no counterpart in Spark 3.5");
    };
  }

  private static final class BooleanCodec extends ValueCodec {
    BooleanCodec() {
      super(1);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      to.putByte(at, from.getBoolean(ordinal) ? 1 : 0);
    }

    @Override
    Boolean read(Image from, int at) {
      byte value = from.getByte(at);
      if (value != 0 && value != 1) {
        throw new IllegalArgumentException("a boolean should be 0 or 1 but is " + value);
      }
      return value == 1;
    }
  }

  private static final class ByteCodec extends ValueCodec {
    ByteCodec() {
      super(1);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      to.putByte(at, from.getByte(ordinal));
    }

    @Override
    Byte read(Image from, int at) {
      return from.getByte(at);
    }
  }

  private static final class ShortCodec extends ValueCodec {
    ShortCodec() {
      super(2);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      to.putShort(at, from.getShort(ordinal));
    }

    @Override
    Short read(Image from, int at) {
      return from.getShort(at);
    }
  }

  /** Numbers, days since 1970 and milliseconds of a day. */
  private static final class IntCodec extends ValueCodec {
    IntCodec() {
      super(4);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      to.putInt(at, from.getInt(ordinal));
    }

    @Override
    Integer read(Image from, int at) {
      return from.getInt(at);
    }
  }

  private static final class LongCodec extends ValueCodec {
    LongCodec() {
      super(8);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      to.putLong(at, from.getLong(ordinal));
    }

    @Override
    Long read(Image from, int at) {
      return from.getLong(at);
    }
  }

  private static final class FloatCodec extends ValueCodec {
    FloatCodec() {
      super(4);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      to.putInt(at, Float.floatToRawIntBits(from.getFloat(ordinal)));
    }

    @Override
    Float read(Image from, int at) {
      return Float.intBitsToFloat(from.getInt(at));
    }
  }

  private static final class DoubleCodec extends ValueCodec {
    DoubleCodec() {
      super(8);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      to.putLong(at, Double.doubleToRawLongBits(from.getDouble(ordinal)));
    }

    @Override
    Double read(Image from, int at) {
      return Double.longBitsToDouble(from.getLong(at));
    }
  }

  /** Decimals of up to 18 digits: the unscaled number is the slot. */
  private static final class ShortDecimalCodec extends ValueCodec {
    private final int precision;
    private final int scale;

    ShortDecimalCodec(int precision, int scale) {
      super(8);
      this.precision = precision;
      this.scale = scale;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      Decimal value = from.getDecimal(ordinal, precision, scale);
      to.putLong(
          at,
          value.scale() == scale
              ? value.toUnscaledLong()
              : scaled(value, scale).unscaledValue().longValueExact());
    }

    @Override
    Decimal read(Image from, int at) {
      return decimal(BigInteger.valueOf(from.getLong(at)), precision, scale);
    }
  }

  /**
   * Decimals of 19 to 38 digits: the slot points to 16 bytes that begin with the unscaled number,
   * big endian and as short as can be; the slot's length is that number's.
   */
  private static final class LongDecimalCodec extends ValueCodec {
    private static final int ITEM = 16;

    private final int precision;
    private final int scale;

    LongDecimalCodec(int precision, int scale) {
      super(8);
      this.precision = precision;
      this.scale = scale;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      byte[] unscaled =
          scaled(from.getDecimal(ordinal, precision, scale), scale).unscaledValue().toByteArray();
      int item = to.reserve(ITEM);
      System.arraycopy(unscaled, 0, to.bytes(), item, unscaled.length);
      to.putOffset(at, item - base, unscaled.length);
    }

    @Override
    void writeNull(ImageBuffer to, int at, int base) {
      to.putOffset(at, to.reserve(ITEM) - base, 0);
    }

    @Override
    Decimal read(Image from, int at) {
      Image item = from.item(from.getLong(at));
      if (item.length() < 1 || item.length() > ITEM) {
        throw new IllegalArgumentException(
            "a decimal should have 1 to " + ITEM + " bytes but has " + item.length());
      }
      return decimal(new BigInteger(item.bytes(), item.start(), item.length()), precision, scale);
    }
  }

  private static BigDecimal scaled(Decimal value, int scale) {
    return value.toJavaBigDecimal().setScale(scale, RoundingMode.UNNECESSARY);
  }

  private static Decimal decimal(BigInteger unscaled, int precision, int scale) {
    BigDecimal value = new BigDecimal(unscaled, scale);
    if (value.precision() > precision) {
      throw new IllegalArgumentException(
          "a DECIMAL(" + precision + ", " + scale + ") is " + value + ", which has more digits");
    }
    return Decimal.apply(value, precision, scale);
  }

  /** Time stamps of up to three digits of a second: the milliseconds since 1970 are the slot. */
  private static final class MillisCodec extends ValueCodec {
    MillisCodec() {
      super(8);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      to.putLong(at, Math.floorDiv(from.getLong(ordinal), 1000L));
    }

    @Override
    Long read(Image from, int at) {
      return micros(from.getLong(at), 0);
    }
  }

  /**
   * Time stamps of four to nine digits of a second: the slot points to the milliseconds since 1970;
   * where other slots have a length, this one has the nanoseconds beyond the millisecond.
   */
  private static final class TimestampCodec extends ValueCodec {
    private static final int ITEM = 8;

    TimestampCodec() {
      super(8);
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      long micros = from.getLong(ordinal);
      int item = to.reserve(ITEM);
      to.putLong(item, Math.floorDiv(micros, 1000L));
      to.putOffset(at, item - base, Math.floorMod(micros, 1000) * 1000);
    }

    @Override
    void writeNull(ImageBuffer to, int at, int base) {
      to.putOffset(at, to.reserve(ITEM) - base, 0);
    }

    @Override
    Long read(Image from, int at) {
      long slot = from.getLong(at);
      int nanos = (int) slot;
      if (nanos < 0 || nanos > 999_999) {
        throw new IllegalArgumentException(
            "nanoseconds of a millisecond should be 0 to 999999 but are " + nanos);
      }
      return micros(from.getLong((int) (slot >>> 32)), nanos);
    }
  }

  private static long micros(long millis, int nanos) {
    try {
      return Math.addExact(Math.multiplyExact(millis, 1000L), nanos / 1000);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "a time stamp of " + millis + " ms is more than microseconds can count", e);
    }
  }

  /**
   * Texts and bytes: up to 7 bytes stand in the slot itself, whose highest byte is then 0x80 +
   * their count; longer ones stand elsewhere, filled up to 8-byte words.
   */
  private abstract static class BytesCodec extends ValueCodec {
    private static final int MAX_INLINE = 7;

    BytesCodec() {
      super(8);
    }

    /** Makes room for {@code length} bytes, fills the slot, and returns where the bytes go. */
    final int place(int length, ImageBuffer to, int at, int base) {
      if (length <= MAX_INLINE) {
        to.putByte(at + MAX_INLINE, 0x80 | length);
        return at;
      }
      int item = to.reserveWords(length);
      to.putOffset(at, item - base, length);
      return item;
    }

    final Image find(Image from, int at) {
      long slot = from.getLong(at);
      if (slot >= 0) {
        return from.item(slot);
      }
      int length = (int) (slot >>> 56) & 0x7f;
      if (length > MAX_INLINE) {
        throw new IllegalArgumentException(
            "a short text should have 0 to 7 bytes but has " + length);
      }
      return from.part(at, length);
    }
  }

  private static final class TextCodec extends BytesCodec {
    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      UTF8String text = from.getUTF8String(ordinal);
      int place = place(text.numBytes(), to, at, base);
      text.writeToMemory(to.bytes(), Platform.BYTE_ARRAY_OFFSET + (long) place);
    }

    @Override
    UTF8String read(Image from, int at) {
      return UTF8String.fromBytes(find(from, at).copy());
    }
  }

  private static final class BinaryCodec extends BytesCodec {
    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      byte[] value = from.getBinary(ordinal);
      int place = place(value.length, to, at, base);
      System.arraycopy(value, 0, to.bytes(), place, value.length);
    }

    @Override
    byte[] read(Image from, int at) {
      return find(from, at).copy();
    }
  }

  /** Lists: the slot points to an array image. */
  private static final class ArrayCodec extends ValueCodec {
    private final ValueCodec element;

    ArrayCodec(ValueCodec element) {
      super(8);
      this.element = element;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      int start = to.end();
      writeArray(from.getArray(ordinal), element, to);
      to.putOffset(at, start - base, to.end() - start);
    }

    @Override
    ArrayData read(Image from, int at) {
      return readArray(from.item(from.getLong(at)), element);
    }
  }

  /** Count, null bits in 4-byte words, slots filled up to an 8-byte word, items. */
  private static void writeArray(ArrayData array, ValueCodec element, ImageBuffer to) {
    int count = array.numElements();
    int head = arrayHead(count);
    int start = to.reserveWords(Math.addExact(head, Math.multiplyExact(count, element.width)));
    to.putInt(start, count);
    for (int i = 0; i < count; i++) {
      if (array.isNullAt(i)) {
        to.setBit(start + 4, i);
      } else {
        element.write(array, i, to, start + head + i * element.width, start);
      }
    }
  }

  private static ArrayData readArray(Image image, ValueCodec element) {
    int count = image.getInt(0);
    // In long, before anything is made for the elements: the count may be damaged.
    if (count < 0 || 4 + (count + 31L) / 32 * 4 + (long) count * element.width > image.length()) {
      throw new IllegalArgumentException(
          "an array of " + image.length() + " bytes says that it has " + count + " elements");
    }
    int head = arrayHead(count);
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      if (!image.bit(4, i)) {
        values[i] = element.read(image, head + i * element.width);
      }
    }
    return new GenericArrayData(values);
  }

  private static int arrayHead(int count) {
    return 4 + (count + 31) / 32 * 4;
  }

  /** Maps: the slot points to the key array's length and the arrays of keys and of values. */
  private static final class MapCodec extends ValueCodec {
    private final ValueCodec key;
    private final ValueCodec value;

    MapCodec(ValueCodec key, ValueCodec value) {
      super(8);
      this.key = key;
      this.value = value;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      MapData map = from.getMap(ordinal);
      int start = to.reserve(4);
      writeArray(map.keyArray(), key, to);
      to.putInt(start, to.end() - start - 4);
      writeArray(map.valueArray(), value, to);
      int length = to.end() - start;
      to.reserve(ImageBuffer.wordsFor(length) - length);
      to.putOffset(at, start - base, length);
    }

    @Override
    MapData read(Image from, int at) {
      Image image = from.item(from.getLong(at));
      int keyBytes = image.getInt(0);
      ArrayData keys = readArray(image.part(4, keyBytes), key);
      ArrayData values = readArray(image.part(4 + keyBytes, image.length() - 4 - keyBytes), value);
      if (keys.numElements() != values.numElements()) {
        throw new IllegalArgumentException(
            "a map has " + keys.numElements() + " keys but " + values.numElements() + " values");
      }
      return new ArrayBasedMapData(keys, values);
    }
  }

  /** Nested rows: the slot points to a row image. */
  private static final class RowCodec extends ValueCodec {
    private final ValueCodec[] fields;
    private final int[] ordinals;

    RowCodec(List<Column> columns) {
      super(8);
      this.fields = of(columns);
      this.ordinals = IntStream.range(0, fields.length).toArray();
    }

    @Override
    void write(SpecializedGetters from, int ordinal, ImageBuffer to, int at, int base) {
      InternalRow row = from.getStruct(ordinal, fields.length);
      int start = to.end();
      writeRow(row, ordinals, fields, to);
      to.putOffset(at, start - base, to.end() - start);
    }

    @Override
    InternalRow read(Image from, int at) {
      return readRow(from.item(from.getLong(at)), fields);
    }
  }

  static ValueCodec[] of(List<Column> columns) {
    ValueCodec[] codecs = new ValueCodec[columns.size()];
    for (int i = 0; i < codecs.length; i++) {
      try {
        codecs[i] = of(columns.get(i).type());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "column '" + columns.get(i).name() + "': " + e.getMessage(), e);
      }
    }
    return codecs;
  }

  /** Bytes before the first slot of a row: row kind and null bits, in 8-byte words. */
  private static int rowHead(int arity) {
    return (arity + 8 + 63) / 64 * 8;
  }

  /**
   * Row kind 0, null bits, slots, items; field {@code i} is column {@code columns[i]} of the row.
   */
  static void writeRow(InternalRow row, int[] columns, ValueCodec[] fields, ImageBuffer to) {
    int head = rowHead(fields.length);
    int start = to.reserve(head + 8 * fields.length);
    for (int i = 0; i < fields.length; i++) {
      int slot = start + head + 8 * i;
      if (row.isNullAt(columns[i])) {
        to.setBit(start, i + 8);
        fields[i].writeNull(to, slot, start);
      } else {
        fields[i].write(row, columns[i], to, slot, start);
      }
    }
  }

  static InternalRow readRow(Image image, ValueCodec[] fields) {
    RowKind.of(image.getByte(0));
    Object[] values = new Object[fields.length];
    for (int i = 0; i < values.length; i++) {
      if (!image.bit(0, i + 8)) {
        values[i] = fields[i].read(image, rowHead(fields.length) + 8 * i);
      }
    }
    return new GenericInternalRow(values);
  }
}
