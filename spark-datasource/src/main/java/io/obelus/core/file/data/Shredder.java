package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Writes the values of one column into the Parquet columns of its leaves.
 *
 * <p>Parquet keeps beside each leaf value two small numbers: the repetition level r says at which
 * repeated group a new entry begins (0 = a new row), the definition level d how many of the
 * optional and repeated groups around the value are there. A value of full d is there itself.
 *
 * <p>Written against Parquet's column writers and not its record consumer, which keeps a state per
 * field and costs a call for the begin and end of each.
 */
abstract class Shredder {

  /**
   * Writes the value at {@code ordinal}, which is not null.
   *
   * @param d definition level of what is around the value
   */
  abstract void write(SpecializedGetters from, int ordinal, int r, int d);

  /** Writes that the value, or something around it, is not there. */
  abstract void writeNull(int r, int d);

  /**
   * The shredder of a column.
   *
   * @param leaves column writers of the leaves in the order of the file's schema; those of this
   *     column are taken
   * @param path name of the column for messages
   * @param depth repetition level around the column
   */
  static Shredder of(ColumnType type, String path, int depth, Iterator<ColumnWriter> leaves) {
    Shredder shredder;
    if (type instanceof ColumnType.Scalar scalar) {
      shredder = leaf(scalar, leaves.next());
    } else if (type instanceof ColumnType.Array array) {
      shredder = new ListShredder(of(array.element(), path + ".element", depth + 1, leaves), depth);
    } else if (type instanceof ColumnType.Map map) {
      shredder = map(map.key(), map.value(), path, depth, leaves);
    } else if (type instanceof ColumnType.Multiset bag) {
      shredder = map(bag.element(), ParquetSchemas.COUNT, path, depth, leaves);
    } else if (type instanceof ColumnType.Row row) {
      List<Shredder> fields = new ArrayList<>();
      for (Column column : row.columns()) {
        fields.add(of(column.type(), path + "." + column.name(), depth, leaves));
      }
      shredder = new RowShredder(fields.toArray(Shredder[]::new));
    } else {
      throw new IllegalArgumentException("column '" + path + "': unknown type " + type);
    }
    return type.nullable() ? new Optional(shredder) : new Required(shredder, path);
  }

  private static Shredder map(
      ColumnType key, ColumnType value, String path, int depth, Iterator<ColumnWriter> leaves) {
    Shredder keys = of(key.withNullable(false), path + ".key", depth + 1, leaves);
    Shredder values = of(value, path + ".value", depth + 1, leaves);
    return new MapShredder(keys, values, depth);
  }

  private static Shredder leaf(ColumnType.Scalar type, ColumnWriter out) {
    return switch (type.kind()) {
      case BOOLEAN ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write(from.getBoolean(ordinal), r, d);
            }
          };
      case TINYINT ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write((int) from.getByte(ordinal), r, d);
            }
          };
      case SMALLINT ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write((int) from.getShort(ordinal), r, d);
            }
          };
      case INT, DATE, TIME ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write(from.getInt(ordinal), r, d);
            }
          };
      case BIGINT ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write(from.getLong(ordinal), r, d);
            }
          };
      case FLOAT ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write(from.getFloat(ordinal), r, d);
            }
          };
      case DOUBLE ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write(from.getDouble(ordinal), r, d);
            }
          };
      case DECIMAL -> decimal(type, out);
      case CHAR, VARCHAR ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write(binary(from.getUTF8String(ordinal)), r, d);
            }
          };
      case BINARY, VARBINARY ->
          new Leaf(out) {
            @Override
            void write(SpecializedGetters from, int ordinal, int r, int d) {
              out.write(Binary.fromReusedByteArray(from.getBinary(ordinal)), r, d);
            }
          };
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(type, out);
      case VARIANT -> throw new IllegalArgumentException("VARIANT cannot be written");
    };
  }

  private static Shredder decimal(ColumnType.Scalar type, ColumnWriter out) {
    int precision = type.precision();
    int scale = type.scale();
    if (precision <= Decimal.MAX_INT_DIGITS()) {
      return new Leaf(out) {
        @Override
        void write(SpecializedGetters from, int ordinal, int r, int d) {
          out.write((int) from.getDecimal(ordinal, precision, scale).toUnscaledLong(), r, d);
        }
      };
    } else if (precision <= Decimal.MAX_LONG_DIGITS()) {
      return new Leaf(out) {
        @Override
        void write(SpecializedGetters from, int ordinal, int r, int d) {
          out.write(from.getDecimal(ordinal, precision, scale).toUnscaledLong(), r, d);
        }
      };
    }
    byte[] fixed = new byte[ParquetSchemas.decimalBytes(precision)];
    return new Leaf(out) {
      @Override
      void write(SpecializedGetters from, int ordinal, int r, int d) {
        BigInteger unscaled =
            from.getDecimal(ordinal, precision, scale).toJavaBigDecimal().unscaledValue();
        byte[] minimal = unscaled.toByteArray();
        int pad = fixed.length - minimal.length;
        Arrays.fill(fixed, 0, pad, (byte) (unscaled.signum() < 0 ? -1 : 0));
        System.arraycopy(minimal, 0, fixed, pad, minimal.length);
        out.write(Binary.fromReusedByteArray(fixed), r, d);
      }
    };
  }

  private static final int JULIAN_EPOCH = 2440588;
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int INT96_BYTES = 12;

  private static Shredder timestamp(ColumnType.Scalar type, ColumnWriter out) {
    if (ParquetSchemas.isMillis(type)) {
      return new Leaf(out) {
        @Override
        void write(SpecializedGetters from, int ordinal, int r, int d) {
          out.write(Math.floorDiv(from.getLong(ordinal), 1000L), r, d);
        }
      };
    } else if (!ParquetSchemas.isInt96(type)) {
      return new Leaf(out) {
        @Override
        void write(SpecializedGetters from, int ordinal, int r, int d) {
          out.write(from.getLong(ordinal), r, d);
        }
      };
    }
    ByteBuffer int96 = ByteBuffer.allocate(INT96_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return new Leaf(out) {
      @Override
      void write(SpecializedGetters from, int ordinal, int r, int d) {
        long micros = from.getLong(ordinal);
        int96.putLong(0, Math.floorMod(micros, MICROS_PER_DAY) * 1000);
        int96.putInt(8, (int) Math.floorDiv(micros, MICROS_PER_DAY) + JULIAN_EPOCH);
        out.write(Binary.fromReusedByteArray(int96.array()), r, d);
      }
    };
  }

  /** The text's own bytes, where they lie on the heap. */
  private static Binary binary(UTF8String text) {
    if (text.getBaseObject() instanceof byte[] bytes) {
      int from = (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
      return Binary.fromReusedByteArray(bytes, from, text.numBytes());
    }
    return Binary.fromReusedByteArray(text.getBytes());
  }

  private abstract static class Leaf extends Shredder {
    private final ColumnWriter out;

    Leaf(ColumnWriter out) {
      this.out = out;
    }

    @Override
    void writeNull(int r, int d) {
      out.writeNull(r, d);
    }
  }

  /** A value that may be null: there at one definition level more than what is around it. */
  private static final class Optional extends Shredder {
    private final Shredder value;

    Optional(Shredder value) {
      this.value = value;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, int r, int d) {
      if (from.isNullAt(ordinal)) {
        value.writeNull(r, d);
      } else {
        value.write(from, ordinal, r, d + 1);
      }
    }

    @Override
    void writeNull(int r, int d) {
      value.writeNull(r, d);
    }
  }

  /** A value that may not be null. */
  private static final class Required extends Shredder {
    private final Shredder value;
    private final String path;

    Required(Shredder value, String path) {
      this.value = value;
      this.path = path;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, int r, int d) {
      if (from.isNullAt(ordinal)) {
        throw new IllegalArgumentException(
            "column '" + path + "' is NOT NULL but a row to be written has null in it");
      }
      value.write(from, ordinal, r, d);
    }

    @Override
    void writeNull(int r, int d) {
      value.writeNull(r, d);
    }
  }

  private static final class RowShredder extends Shredder {
    private final Shredder[] fields;

    RowShredder(Shredder[] fields) {
      this.fields = fields;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, int r, int d) {
      InternalRow row = from.getStruct(ordinal, fields.length);
      for (int i = 0; i < fields.length; i++) {
        fields[i].write(row, i, r, d);
      }
    }

    @Override
    void writeNull(int r, int d) {
      for (Shredder field : fields) {
        field.writeNull(r, d);
      }
    }
  }

  private static final class ListShredder extends Shredder {
    private final Shredder element;
    private final int depth;

    ListShredder(Shredder element, int depth) {
      this.element = element;
      this.depth = depth;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, int r, int d) {
      ArrayData array = from.getArray(ordinal);
      int size = array.numElements();
      if (size == 0) {
        element.writeNull(r, d);
      }
      for (int i = 0; i < size; i++) {
        element.write(array, i, i == 0 ? r : depth + 1, d + 1);
      }
    }

    @Override
    void writeNull(int r, int d) {
      element.writeNull(r, d);
    }
  }

  private static final class MapShredder extends Shredder {
    private final Shredder key;
    private final Shredder value;
    private final int depth;

    MapShredder(Shredder key, Shredder value, int depth) {
      this.key = key;
      this.value = value;
      this.depth = depth;
    }

    @Override
    void write(SpecializedGetters from, int ordinal, int r, int d) {
      MapData map = from.getMap(ordinal);
      int size = map.numElements();
      if (size == 0) {
        writeNull(r, d);
        return;
      }
      ArrayData keys = map.keyArray();
      ArrayData values = map.valueArray();
      for (int i = 0; i < size; i++) {
        int repetition = i == 0 ? r : depth + 1;
        key.write(keys, i, repetition, d + 1);
        value.write(values, i, repetition, d + 1);
      }
    }

    @Override
    void writeNull(int r, int d) {
      key.writeNull(r, d);
      value.writeNull(r, d);
    }
  }
}
