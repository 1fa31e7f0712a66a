package io.obelus.core.file.data;

import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Remembers the key of the last row of a file, whose row belongs to the caller. Allocates only when
 * a longer text than any before arrives.
 */
final class LastKey {

  private final RowType row;
  private final int[] key;
  private final long[] numbers;
  private final byte[][] texts;
  private final Decimal[] decimals;

  /**
   * @param row columns of the rows handed in
   * @param key indexes of the key in it
   */
  LastKey(RowType row, int[] key) {
    this.row = row;
    this.key = key;
    this.numbers = new long[key.length];
    this.texts = new byte[key.length][0];
    this.decimals = new Decimal[key.length];
  }

  void remember(InternalRow from) {
    for (int i = 0; i < key.length; i++) {
      ColumnType.Scalar type = (ColumnType.Scalar) row.column(key[i]).type();
      switch (type.kind()) {
        case BOOLEAN -> numbers[i] = from.getBoolean(key[i]) ? 1 : 0;
        case TINYINT -> numbers[i] = from.getByte(key[i]);
        case SMALLINT -> numbers[i] = from.getShort(key[i]);
        case INT, DATE, TIME -> numbers[i] = from.getInt(key[i]);
        case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> numbers[i] = from.getLong(key[i]);
        case FLOAT -> numbers[i] = Float.floatToRawIntBits(from.getFloat(key[i]));
        case DOUBLE -> numbers[i] = Double.doubleToRawLongBits(from.getDouble(key[i]));
        case DECIMAL -> decimals[i] = from.getDecimal(key[i], type.precision(), type.scale());
        case CHAR, VARCHAR -> remember(i, from.getUTF8String(key[i]));
        case BINARY, VARBINARY -> remember(i, from.getBinary(key[i]));
        case VARIANT -> throw new IllegalArgumentException("VARIANT cannot be a key");
      }
    }
  }

  private void remember(int i, UTF8String text) {
    reserve(i, text.numBytes());
    text.writeToMemory(texts[i], Platform.BYTE_ARRAY_OFFSET);
    numbers[i] = text.numBytes();
  }

  private void remember(int i, byte[] bytes) {
    reserve(i, bytes.length);
    System.arraycopy(bytes, 0, texts[i], 0, bytes.length);
    numbers[i] = bytes.length;
  }

  private void reserve(int i, int length) {
    if (texts[i].length < length) {
      texts[i] = new byte[Math.max(16, 2 * length)];
    }
  }

  /** The key as a row of its own, overwritten by the next {@link #remember}. */
  InternalRow row() {
    Object[] values = new Object[key.length];
    for (int i = 0; i < key.length; i++) {
      ColumnType.Scalar type = (ColumnType.Scalar) row.column(key[i]).type();
      values[i] =
          switch (type.kind()) {
            case BOOLEAN -> numbers[i] == 1;
            case TINYINT -> (byte) numbers[i];
            case SMALLINT -> (short) numbers[i];
            case INT, DATE, TIME -> (int) numbers[i];
            case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> numbers[i];
            case FLOAT -> Float.intBitsToFloat((int) numbers[i]);
            case DOUBLE -> Double.longBitsToDouble(numbers[i]);
            case DECIMAL -> decimals[i];
            case CHAR, VARCHAR -> UTF8String.fromBytes(texts[i], 0, (int) numbers[i]);
            case BINARY, VARBINARY -> Arrays.copyOf(texts[i], (int) numbers[i]);
            case VARIANT -> throw new IllegalArgumentException("VARIANT cannot be a key");
          };
    }
    return new GenericInternalRow(values);
  }
}
