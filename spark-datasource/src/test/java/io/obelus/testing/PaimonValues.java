package io.obelus.testing;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeChecks;

/**
 * Values of Paimon's rows as plain Java ones, all of which know equals and an order.
 *
 * <pre>
 *   BOOLEAN Boolean   TINYINT Byte   SMALLINT Short   INT Integer   BIGINT Long
 *   FLOAT Float   DOUBLE Double   DECIMAL BigDecimal   CHAR, VARCHAR, STRING String
 *   BINARY, VARBINARY ByteBuffer   DATE LocalDate   TIME LocalTime (milliseconds)
 *   TIMESTAMP LocalDateTime   TIMESTAMP WITH LOCAL TIME ZONE Instant
 * </pre>
 */
final class PaimonValues {

  private PaimonValues() {}

  /** Paimon's object for a plain value. */
  static Object internal(Object value, DataType type) {
    if (value == null) {
      return null;
    }
    return switch (type.getTypeRoot()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, FLOAT, DOUBLE -> value;
      case CHAR, VARCHAR -> BinaryString.fromString((String) value);
      case BINARY, VARBINARY -> ((ByteBuffer) value).array();
      case DECIMAL ->
          Decimal.fromBigDecimal(
              (BigDecimal) value, DataTypeChecks.getPrecision(type), DataTypeChecks.getScale(type));
      case DATE -> (int) ((LocalDate) value).toEpochDay();
      case TIME_WITHOUT_TIME_ZONE -> (int) (((LocalTime) value).toNanoOfDay() / 1_000_000);
      case TIMESTAMP_WITHOUT_TIME_ZONE -> Timestamp.fromLocalDateTime((LocalDateTime) value);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Timestamp.fromInstant((Instant) value);
      default -> throw new IllegalArgumentException("no plain value of type " + type);
    };
  }

  /** The plain values of a row, whose own objects may be used again for the next one. */
  static List<Object> values(InternalRow row, List<DataType> types) {
    List<Object> values = new ArrayList<>(types.size());
    for (int i = 0; i < types.size(); i++) {
      values.add(row.isNullAt(i) ? null : value(row, i, types.get(i)));
    }
    return values;
  }

  private static Object value(InternalRow row, int i, DataType type) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> row.getBoolean(i);
      case TINYINT -> row.getByte(i);
      case SMALLINT -> row.getShort(i);
      case INTEGER -> row.getInt(i);
      case BIGINT -> row.getLong(i);
      case FLOAT -> row.getFloat(i);
      case DOUBLE -> row.getDouble(i);
      case CHAR, VARCHAR -> row.getString(i).toString();
      case BINARY, VARBINARY -> ByteBuffer.wrap(row.getBinary(i).clone());
      case DECIMAL ->
          row.getDecimal(i, DataTypeChecks.getPrecision(type), DataTypeChecks.getScale(type))
              .toBigDecimal();
      case DATE -> LocalDate.ofEpochDay(row.getInt(i));
      case TIME_WITHOUT_TIME_ZONE -> LocalTime.ofNanoOfDay(row.getInt(i) * 1_000_000L);
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          row.getTimestamp(i, DataTypeChecks.getPrecision(type)).toLocalDateTime();
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          row.getTimestamp(i, DataTypeChecks.getPrecision(type)).toInstant();
      default -> throw new IllegalArgumentException("no plain value of type " + type);
    };
  }
}
