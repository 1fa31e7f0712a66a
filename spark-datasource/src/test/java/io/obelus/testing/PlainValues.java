package io.obelus.testing;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Rows in the form in which Spark keeps them, as plain Java values and back: the ones that {@link
 * PaimonValues} lists. Time stamps have microseconds.
 */
public final class PlainValues {

  private static final ColumnType COUNT = ColumnTypes.parse("INT NOT NULL");
  private static final long MICROS = 1_000_000;

  private PlainValues() {}

  /** The values of a row, which may be used again for the next one. */
  public static List<Object> of(InternalRow row, RowType type) {
    return of(row, type.columns());
  }

  private static List<Object> of(InternalRow row, List<Column> columns) {
    List<Object> values = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      ColumnType type = columns.get(i).type();
      values.add(row.isNullAt(i) ? null : of(row.get(i, SparkTypes.toSpark(type)), type));
    }
    return values;
  }

  /** The plain value; null stays null. */
  public static Object of(Object value, ColumnType type) {
    if (value == null) {
      return null;
    } else if (type instanceof ColumnType.Array array) {
      return list((ArrayData) value, array.element());
    } else if (type instanceof ColumnType.Map map) {
      return map((MapData) value, map.key(), map.value());
    } else if (type instanceof ColumnType.Multiset multiset) {
      return map((MapData) value, multiset.element(), COUNT);
    } else if (type instanceof ColumnType.Row row) {
      return of((InternalRow) value, row.columns());
    }
    return switch (((ColumnType.Scalar) type).kind()) {
      case CHAR, VARCHAR -> value.toString();
      case BINARY, VARBINARY -> ByteBuffer.wrap(((byte[]) value).clone());
      case DECIMAL -> ((Decimal) value).toJavaBigDecimal();
      case DATE -> LocalDate.ofEpochDay((Integer) value);
      case TIME -> LocalTime.ofNanoOfDay((Integer) value * MICROS);
      case TIMESTAMP -> LocalDateTime.ofInstant(instant((Long) value), ZoneOffset.UTC);
      case TIMESTAMP_LTZ -> instant((Long) value);
      default -> value;
    };
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
  }

  private static List<Object> list(ArrayData array, ColumnType type) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < array.numElements(); i++) {
      list.add(array.isNullAt(i) ? null : of(array.get(i, SparkTypes.toSpark(type)), type));
    }
    return list;
  }

  private static Map<Object, Object> map(MapData map, ColumnType key, ColumnType value) {
    List<Object> keys = list(map.keyArray(), key);
    List<Object> values = list(map.valueArray(), value);
    Map<Object, Object> plain = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      plain.put(keys.get(i), values.get(i));
    }
    return plain;
  }

  /** The row of these values. */
  public static InternalRow row(List<?> values, RowType type) {
    if (values.size() != type.size()) {
      throw new IllegalArgumentException(
          "%d values for %d columns".formatted(values.size(), type.size()));
    }
    return row(values, type.columns());
  }

  private static InternalRow row(List<?> values, List<Column> columns) {
    Object[] row = new Object[values.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = spark(values.get(i), columns.get(i).type());
    }
    return new GenericInternalRow(row);
  }

  /** Spark's value for a plain one; null stays null. */
  public static Object spark(Object value, ColumnType type) {
    if (value == null) {
      return null;
    } else if (type instanceof ColumnType.Array array) {
      return array((List<?>) value, array.element());
    } else if (type instanceof ColumnType.Map map) {
      return mapData((Map<?, ?>) value, map.key(), map.value());
    } else if (type instanceof ColumnType.Multiset multiset) {
      return mapData((Map<?, ?>) value, multiset.element(), COUNT);
    } else if (type instanceof ColumnType.Row row) {
      return row((List<?>) value, row.columns());
    }
    ColumnType.Scalar scalar = (ColumnType.Scalar) type;
    return switch (scalar.kind()) {
      case CHAR, VARCHAR -> UTF8String.fromString((String) value);
      case BINARY, VARBINARY -> ((ByteBuffer) value).array();
      case DECIMAL -> Decimal.apply((BigDecimal) value, scalar.precision(), scalar.scale());
      case DATE -> (int) ((LocalDate) value).toEpochDay();
      case TIME -> (int) (((LocalTime) value).toNanoOfDay() / MICROS);
      case TIMESTAMP -> micros(((LocalDateTime) value).toInstant(ZoneOffset.UTC));
      case TIMESTAMP_LTZ -> micros((Instant) value);
      default -> value;
    };
  }

  private static long micros(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), MICROS), time.getNano() / 1000);
  }

  private static ArrayData array(List<?> list, ColumnType type) {
    return new GenericArrayData(list.stream().map(value -> spark(value, type)).toArray());
  }

  private static MapData mapData(Map<?, ?> map, ColumnType key, ColumnType value) {
    return new ArrayBasedMapData(
        array(new ArrayList<>(map.keySet()), key), array(new ArrayList<>(map.values()), value));
  }

  /** Orders rows by the columns given, then by their texts. */
  static Comparator<List<Object>> order(List<Integer> columns) {
    Comparator<List<Object>> order = (a, b) -> 0;
    for (int column : columns) {
      order = order.thenComparing(row -> comparable(row.get(column)));
    }
    return order.thenComparing(Object::toString);
  }

  @SuppressWarnings(
      "unchecked") // plain values of types that a key may have compare with their kind
  private static Comparable<Object> comparable(Object value) {
    return (Comparable<Object>) value;
  }
}
