package io.obelus.testing;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Draws row types, rows and values; edges more often than what lies between them. */
public final class RandomRows {

  private static final Kind[] KEY_KINDS = {
    Kind.BOOLEAN, Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT, Kind.FLOAT, Kind.DOUBLE,
    Kind.DECIMAL, Kind.CHAR, Kind.VARCHAR, Kind.BINARY, Kind.VARBINARY, Kind.DATE, Kind.TIME,
    Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ
  };
  private static final int[] LENGTHS = {0, 1, 6, 7, 8, 9, 15, 16, 17, 40};

  private RandomRows() {}

  /** A row of {@code size} columns without parts, as keys have them. */
  public static RowType flatType(Random random, int size) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      columns.add(new Column(i, "c" + i, scalar(random)));
    }
    return new RowType(columns);
  }

  /** A row of {@code size} columns, some with parts. */
  public static RowType type(Random random, int size) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      columns.add(new Column(i, "c" + i, type(random, 2, 1000 * (i + 1))));
    }
    return new RowType(columns);
  }

  private static ColumnType type(Random random, int depth, int nextId) {
    boolean nullable = random.nextInt(4) > 0;
    return switch (depth == 0 ? 0 : random.nextInt(8)) {
      case 1 -> new ColumnType.Array(type(random, depth - 1, nextId), nullable);
      case 2 ->
          new ColumnType.Map(
              scalar(random).withNullable(false), type(random, depth - 1, nextId), nullable);
      case 3 -> new ColumnType.Multiset(scalar(random).withNullable(false), nullable);
      case 4 -> {
        List<Column> columns = new ArrayList<>();
        int size = 1 + random.nextInt(4);
        for (int i = 0; i < size; i++) {
          int id = nextId + 10 * i;
          columns.add(new Column(id, "f" + i, type(random, depth - 1, id + 100)));
        }
        yield new ColumnType.Row(columns, nullable);
      }
      default -> scalar(random).withNullable(nullable);
    };
  }

  /**
   * A type that may have parts, one that Paimon 1.3.1 can read: it fails on a multiset of time
   * stamps, its own files included.
   */
  public static ColumnType anyType(Random random) {
    ColumnType type = type(random, 2, 1000);
    return ColumnTypes.print(type).contains("MULTISET<TIMESTAMP") ? anyType(random) : type;
  }

  /** Columns with field ids from 0, nested ones as well, as a new table has them. */
  public static RowType numbered(List<Column> columns) {
    return new RowType(numbered(columns, new int[1]));
  }

  private static List<Column> numbered(List<Column> columns, int[] next) {
    List<Column> numbered = new ArrayList<>();
    for (Column column : columns) {
      int id = next[0]++;
      numbered.add(new Column(id, column.name(), numbered(column.type(), next)));
    }
    return numbered;
  }

  private static ColumnType numbered(ColumnType type, int[] next) {
    if (type instanceof ColumnType.Array array) {
      return new ColumnType.Array(numbered(array.element(), next), type.nullable());
    } else if (type instanceof ColumnType.Map map) {
      return new ColumnType.Map(map.key(), numbered(map.value(), next), type.nullable());
    } else if (type instanceof ColumnType.Row row) {
      return new ColumnType.Row(numbered(row.columns(), next), type.nullable());
    }
    return type;
  }

  /** A nullable type without parts. */
  public static Scalar scalar(Random random) {
    Kind kind = KEY_KINDS[random.nextInt(KEY_KINDS.length)];
    return switch (kind) {
      case CHAR, BINARY -> new Scalar(kind, 40, 0, true);
      case VARCHAR, VARBINARY ->
          new Scalar(kind, random.nextBoolean() ? ColumnType.MAX_LENGTH : 40, 0, true);
      case DECIMAL -> {
        int precision = new int[] {1, 9, 10, 18, 19, 20, 38}[random.nextInt(7)];
        yield new Scalar(kind, precision, random.nextInt(precision + 1), true);
      }
      case TIMESTAMP, TIMESTAMP_LTZ -> new Scalar(kind, 3 * random.nextInt(3), 0, true);
      default -> new Scalar(kind);
    };
  }

  /** A row of the type, null in one of ten nullable columns. */
  public static InternalRow row(Random random, RowType type) {
    return row(random, type.columns());
  }

  private static InternalRow row(Random random, List<Column> columns) {
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = nullableValue(random, columns.get(i).type());
    }
    return new GenericInternalRow(values);
  }

  private static Object nullableValue(Random random, ColumnType type) {
    return type.nullable() && random.nextInt(10) == 0 ? null : value(random, type);
  }

  /** A value of the type that is not null, as Spark keeps it. */
  public static Object value(Random random, ColumnType type) {
    if (type instanceof Scalar scalar) {
      return value(random, scalar);
    } else if (type instanceof ColumnType.Array array) {
      return new GenericArrayData(values(random, array.element(), random.nextInt(40)));
    } else if (type instanceof ColumnType.Map map) {
      Object[] keys = distinctValues(random, map.key());
      return new ArrayBasedMapData(
          new GenericArrayData(keys),
          new GenericArrayData(values(random, map.value(), keys.length)));
    } else if (type instanceof ColumnType.Multiset multiset) {
      Object[] elements = distinctValues(random, multiset.element());
      Scalar count = new Scalar(Kind.INT, 0, 0, false);
      return new ArrayBasedMapData(
          new GenericArrayData(elements),
          new GenericArrayData(values(random, count, elements.length)));
    }
    return row(random, ((ColumnType.Row) type).columns());
  }

  private static Object[] values(Random random, ColumnType type, int count) {
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      values[i] = nullableValue(random, type);
    }
    return values;
  }

  private static Object[] distinctValues(Random random, ColumnType type) {
    Map<Object, Object> values = new LinkedHashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      Object value = value(random, type);
      values.put(value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value, value);
    }
    return values.values().toArray();
  }

  private static Object value(Random random, Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT -> (byte) number(random, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> (short) number(random, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> (int) number(random, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case DATE -> (int) number(random, -719_162, 2_932_896); // years 1 to 9999
      case TIME -> (int) number(random, 0, 86_399_999);
      case BIGINT -> number(random, Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT -> (float) real(random);
      case DOUBLE -> real(random);
      case DECIMAL -> decimal(random, type.precision(), type.scale());
      case CHAR, VARCHAR -> text(random);
      case BINARY, VARBINARY -> {
        byte[] bytes = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
        random.nextBytes(bytes);
        yield bytes;
      }
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long micros = number(random, -62_135_596_800_000_000L, 253_402_300_799_999_999L);
        yield type.precision() <= 3 ? Math.floorDiv(micros, 1000L) * 1000 : micros;
      }
      case VARIANT -> throw new IllegalArgumentException("no VARIANT in Spark 3.5");
    };
  }

  private static long number(Random random, long min, long max) {
    return switch (random.nextInt(8)) {
      case 0 -> min;
      case 1 -> max;
      case 2 -> Math.max(min, 0);
      case 3, 4 -> Math.max(min, random.nextInt(20) - 10);
      default -> random.longs(1, min, max).findFirst().orElseThrow();
    };
  }

  private static double real(Random random) {
    double[] edges = {
      0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.5, -2.5
    };
    int draw = random.nextInt(2 * edges.length);
    return draw < edges.length ? edges[draw] : (random.nextDouble() - 0.5) * 1e6;
  }

  private static Decimal decimal(Random random, int precision, int scale) {
    BigInteger limit = BigInteger.TEN.pow(precision);
    BigInteger unscaled =
        switch (random.nextInt(4)) {
          case 0 -> BigInteger.ZERO;
          case 1 -> limit.subtract(BigInteger.ONE);
          default -> new BigInteger(130, random).mod(limit);
        };
    if (random.nextBoolean()) {
      unscaled = unscaled.negate();
    }
    return Decimal.apply(new BigDecimal(unscaled, scale), precision, scale);
  }

  private static UTF8String text(Random random) {
    int length = LENGTHS[random.nextInt(LENGTHS.length)];
    StringBuilder text = new StringBuilder();
    String letters = random.nextInt(4) == 0 ? "aé漢😀" : "abcxyz019 ";
    while (text.length() < length) {
      text.appendCodePoint(
          letters.codePointAt(
              letters.offsetByCodePoints(
                  0, random.nextInt(letters.codePointCount(0, letters.length())))));
    }
    return UTF8String.fromString(text.toString());
  }
}
