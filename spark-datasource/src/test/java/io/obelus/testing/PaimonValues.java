package io.obelus.testing;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.DataGetters;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeChecks;
import org.apache.paimon.types.IntType;
import org.apache.paimon.types.MapType;
import org.apache.paimon.types.MultisetType;
import org.apache.paimon.types.RowType;

/**
 * Values of Paimon's rows as plain Java ones, all of which know equals; those without parts also
 * know an order.
 *
 * <pre>
 *   BOOLEAN Boolean   TINYINT Byte   SMALLINT Short   INT Integer   BIGINT Long
 *   FLOAT Float   DOUBLE Double   DECIMAL BigDecimal   CHAR, VARCHAR, STRING String
 *   BINARY, VARBINARY ByteBuffer   DATE LocalDate   TIME LocalTime (milliseconds)
 *   TIMESTAMP LocalDateTime   TIMESTAMP WITH LOCAL TIME ZONE Instant
 *   ARRAY List   MAP and MULTISET (element to count) Map   ROW List
 * </pre>
 */
final class PaimonValues {

  private static final DataType COUNT = new IntType(false);

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
      case ARRAY -> array((List<?>) value, ((ArrayType) type).getElementType());
      case MAP -> map((Map<?, ?>) value, ((MapType) type).getKeyType(), valueType(type));
      case MULTISET -> map((Map<?, ?>) value, ((MultisetType) type).getElementType(), COUNT);
      case ROW -> row((List<?>) value, ((RowType) type).getFieldTypes());
      default -> throw new IllegalArgumentException("no plain value of type " + type);
    };
  }

  private static DataType valueType(DataType map) {
    return ((MapType) map).getValueType();
  }

  private static GenericArray array(List<?> values, DataType type) {
    return new GenericArray(values.stream().map(value -> internal(value, type)).toArray());
  }

  private static GenericMap map(Map<?, ?> map, DataType keyType, DataType valueType) {
    Map<Object, Object> internal = new LinkedHashMap<>();
    map.forEach((key, value) -> internal.put(internal(key, keyType), internal(value, valueType)));
    return new GenericMap(internal);
  }

  private static GenericRow row(List<?> values, List<DataType> types) {
    GenericRow row = new GenericRow(types.size());
    for (int i = 0; i < types.size(); i++) {
      row.setField(i, internal(values.get(i), types.get(i)));
    }
    return row;
  }

  /** The plain values of a row, whose own objects may be used again for the next one. */
  static List<Object> values(InternalRow row, List<DataType> types) {
    List<Object> values = new ArrayList<>(types.size());
    for (int i = 0; i < types.size(); i++) {
      values.add(value(row, i, types.get(i)));
    }
    return values;
  }

  private static Object value(DataGetters row, int i, DataType type) {
    if (row.isNullAt(i)) {
      return null;
    }
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
      case ARRAY -> list(row.getArray(i), ((ArrayType) type).getElementType());
      case MAP -> plainMap(row.getMap(i), ((MapType) type).getKeyType(), valueType(type));
      case MULTISET -> plainMap(row.getMap(i), ((MultisetType) type).getElementType(), COUNT);
      case ROW -> {
        List<DataType> types = ((RowType) type).getFieldTypes();
        yield values(row.getRow(i, types.size()), types);
      }
      default -> throw new IllegalArgumentException("no plain value of type " + type);
    };
  }

  private static List<Object> list(InternalArray array, DataType type) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      list.add(value(array, i, type));
    }
    return list;
  }

  private static Map<Object, Object> plainMap(
      InternalMap map, DataType keyType, DataType valueType) {
    List<Object> keys = list(map.keyArray(), keyType);
    List<Object> values = list(map.valueArray(), valueType);
    Map<Object, Object> plain = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      plain.put(keys.get(i), values.get(i));
    }
    return plain;
  }
}
