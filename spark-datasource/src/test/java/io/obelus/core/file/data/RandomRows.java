package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Random values of every type, and values as plain objects that can be compared. */
final class RandomRows {

  private RandomRows() {}

  /** One nullable column of every type that can be written, nested ones at the end. */
  static RowType everyType() {
    List<ColumnType> types = new ArrayList<>();
    for (Kind kind :
        List.of(
            Kind.BOOLEAN,
            Kind.TINYINT,
            Kind.SMALLINT,
            Kind.INT,
            Kind.BIGINT,
            Kind.FLOAT,
            Kind.DOUBLE,
            Kind.DATE)) {
      types.add(new Scalar(kind));
    }
    for (int precision : List.of(5, 9, 10, 18, 19, 38)) {
      types.add(new Scalar(Kind.DECIMAL, precision, 2, true));
    }
    types.add(new Scalar(Kind.CHAR, 5, 0, true));
    types.add(ColumnType.string());
    types.add(new Scalar(Kind.BINARY, 3, 0, true));
    types.add(new Scalar(Kind.VARBINARY, ColumnType.MAX_LENGTH, 0, true));
    types.add(new Scalar(Kind.TIME, 3, 0, true));
    for (int precision : List.of(0, 3, 6, 9)) {
      types.add(new Scalar(Kind.TIMESTAMP, precision, 0, true));
      types.add(new Scalar(Kind.TIMESTAMP_LTZ, precision, 0, true));
    }
    Scalar number = new Scalar(Kind.INT);
    ColumnType row =
        new ColumnType.Row(
            List.of(
                new Column(901, "x", number),
                new Column(902, "y", ColumnType.string()),
                new Column(
                    903, "z", new ColumnType.Array(new Scalar(Kind.TIMESTAMP, 9, 0, true), true))),
            true);
    types.add(new ColumnType.Array(number, true));
    types.add(new ColumnType.Array(new ColumnType.Array(ColumnType.string(), true), true));
    types.add(new ColumnType.Map(ColumnType.string().withNullable(false), number, true));
    types.add(new ColumnType.Multiset(number.withNullable(false), true));
    types.add(row);
    types.add(new ColumnType.Array(row, true));
    types.add(
        new ColumnType.Map(
            number.withNullable(false), new ColumnType.Array(ColumnType.string(), true), true));
    List<Column> columns = new ArrayList<>();
    columns.add(new Column(0, "id", new Scalar(Kind.BIGINT, 0, 0, false)));
    for (ColumnType type : types) {
      columns.add(new Column(columns.size(), "c" + columns.size(), type));
    }
    return new RowType(columns);
  }

  /** A row whose first column is {@code id} and the others random. */
  static InternalRow row(Random random, RowType type, long id) {
    Object[] values = new Object[type.size()];
    values[0] = id;
    for (int i = 1; i < values.length; i++) {
      values[i] = value(random, type.column(i).type());
    }
    return new GenericInternalRow(values);
  }

  static Object value(Random random, ColumnType type) {
    if (type.nullable() && random.nextInt(5) == 0) {
      return null;
    }
    if (type instanceof Scalar scalar) {
      return scalar(random, scalar);
    } else if (type instanceof ColumnType.Array array) {
      return array(random, array.element());
    } else if (type instanceof ColumnType.Map map) {
      return map(random, map.key(), map.value());
    } else if (type instanceof ColumnType.Multiset bag) {
      return map(random, bag.element(), new Scalar(Kind.INT, 0, 0, false));
    }
    List<Column> columns = ((ColumnType.Row) type).columns();
    return new GenericInternalRow(
        columns.stream().map(column -> value(random, column.type())).toArray());
  }

  private static Object array(Random random, ColumnType element) {
    Object[] values = new Object[random.nextInt(4)];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(random, element);
    }
    return new GenericArrayData(values);
  }

  private static Object map(Random random, ColumnType key, ColumnType value) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      entries.put(value(random, key.withNullable(false)), value(random, value));
    }
    return new ArrayBasedMapData(
        new GenericArrayData(entries.keySet().toArray()),
        new GenericArrayData(entries.values().toArray()));
  }

  private static Object scalar(Random random, Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT -> (byte) random.nextInt();
      case SMALLINT -> (short) random.nextInt();
      case INT -> random.nextBoolean() ? random.nextInt(8) : random.nextInt();
      case BIGINT -> random.nextBoolean() ? (long) random.nextInt(8) : random.nextLong();
      case FLOAT -> pick(random, Float.NaN, -0.0f, 0.0f, random.nextFloat());
      case DOUBLE ->
          pick(random, Double.NaN, -0.0d, Double.NEGATIVE_INFINITY, random.nextGaussian());
      case DECIMAL -> {
        BigInteger bound = BigInteger.TEN.pow(random.nextInt(type.precision()) + 1);
        BigInteger unscaled = new BigInteger(140, random).mod(bound);
        unscaled = random.nextBoolean() ? unscaled.negate() : unscaled;
        yield Decimal.apply(new BigDecimal(unscaled, type.scale()), type.precision(), type.scale());
      }
      case CHAR, VARCHAR ->
          UTF8String.fromString(
              pick(random, "", "a", "é-" + random.nextInt(5), "text number " + random.nextInt()));
      case BINARY, VARBINARY -> {
        byte[] bytes = new byte[random.nextInt(6)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case DATE -> random.nextInt(200_000) - 100_000;
      case TIME -> random.nextInt(86_400_000);
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long micros = random.nextLong() % (200L * 365 * 86_400_000_000L);
        yield ParquetSchemas.isMillis(type) ? Math.floorDiv(micros, 1000L) * 1000 : micros;
      }
      case VARIANT -> throw new AssertionError();
    };
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** All columns of a row as plain objects with a meaningful equals. */
  static List<Object> plain(InternalRow row, RowType type) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < type.size(); i++) {
      values.add(plain(row, i, type.column(i).type()));
    }
    return values;
  }

  static Object plain(SpecializedGetters from, int at, ColumnType type) {
    if (from.isNullAt(at)) {
      return null;
    } else if (type instanceof ColumnType.Array array) {
      return plain(from.getArray(at), array.element());
    } else if (type instanceof ColumnType.Map map) {
      return plain(from.getMap(at), map.key(), map.value());
    } else if (type instanceof ColumnType.Multiset bag) {
      return plain(from.getMap(at), bag.element(), new Scalar(Kind.INT));
    } else if (type instanceof ColumnType.Row row) {
      RowType nested = new RowType(row.columns());
      return plain(from.getStruct(at, nested.size()), nested);
    }
    Scalar scalar = (Scalar) type;
    return switch (scalar.kind()) {
      case BOOLEAN -> from.getBoolean(at);
      case TINYINT -> from.getByte(at);
      case SMALLINT -> from.getShort(at);
      case INT, DATE, TIME -> from.getInt(at);
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> from.getLong(at);
      case FLOAT -> Float.floatToIntBits(from.getFloat(at));
      case DOUBLE -> Double.doubleToLongBits(from.getDouble(at));
      case DECIMAL -> from.getDecimal(at, scalar.precision(), scalar.scale()).toJavaBigDecimal();
      case CHAR, VARCHAR -> from.getUTF8String(at).toString();
      case BINARY, VARBINARY -> Arrays.toString(from.getBinary(at));
      case VARIANT -> throw new AssertionError();
    };
  }

  private static List<Object> plain(ArrayData array, ColumnType element) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < array.numElements(); i++) {
      values.add(plain(array, i, element));
    }
    return values;
  }

  private static Map<String, Object> plain(MapData map, ColumnType key, ColumnType value) {
    Map<String, Object> values = new TreeMap<>();
    ArrayData keys = map.keyArray();
    for (int i = 0; i < map.numElements(); i++) {
      values.put(String.valueOf(plain(keys, i, key)), plain(map.valueArray(), i, value));
    }
    return values;
  }
}
