package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.io.Closeable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Makes column batches of rows, for readers that must merge row by row and still hand out columns.
 * The batch and its vectors are used again after {@link #reset}. Not thread-safe.
 */
public final class BatchBuilder implements Closeable {

  private final int capacity;
  private final OnHeapColumnVector[] vectors;
  private final Appender[] appenders;
  private final ColumnarBatch batch;
  private int rows;

  /**
   * @param capacity most rows of a batch
   */
  public BatchBuilder(RowType type, int capacity) {
    this.capacity = capacity;
    this.vectors = new OnHeapColumnVector[type.size()];
    this.appenders = new Appender[type.size()];
    for (int i = 0; i < vectors.length; i++) {
      Column column = type.column(i);
      vectors[i] = new OnHeapColumnVector(capacity, SparkTypes.toSpark(column.type()));
      appenders[i] = Appender.of(column.type());
    }
    this.batch = new ColumnarBatch(vectors);
  }

  /** Copies a row to the end of the batch, which must not be {@link #full}. */
  public void add(InternalRow row) {
    for (int i = 0; i < appenders.length; i++) {
      appenders[i].append(row, i, vectors[i]);
    }
    rows++;
  }

  public boolean full() {
    return rows >= capacity;
  }

  public boolean isEmpty() {
    return rows == 0;
  }

  /** The rows added since the last {@link #reset}; valid until the next one. */
  public ColumnarBatch batch() {
    batch.setNumRows(rows);
    return batch;
  }

  /** Begins a new batch. */
  public void reset() {
    for (OnHeapColumnVector vector : vectors) {
      vector.reset();
    }
    rows = 0;
  }

  @Override
  public void close() {
    batch.close();
  }

  /** Appends a value of one type to a vector. */
  private abstract static class Appender {

    abstract void appendValue(SpecializedGetters from, int at, WritableColumnVector to);

    void appendNull(WritableColumnVector to) {
      to.appendNull();
    }

    final void append(SpecializedGetters from, int at, WritableColumnVector to) {
      if (from.isNullAt(at)) {
        appendNull(to);
      } else {
        appendValue(from, at, to);
      }
    }

    static Appender of(ColumnType type) {
      if (type instanceof ColumnType.Scalar scalar) {
        return scalar(scalar);
      } else if (type instanceof ColumnType.Array array) {
        return new ArrayAppender(of(array.element()));
      } else if (type instanceof ColumnType.Map map) {
        return new MapAppender(of(map.key()), of(map.value()));
      } else if (type instanceof ColumnType.Multiset bag) {
        return new MapAppender(of(bag.element()), of(ParquetSchemas.COUNT));
      }
      List<Column> columns = ((ColumnType.Row) type).columns();
      return new RowAppender(
          columns.stream().map(column -> of(column.type())).toArray(Appender[]::new));
    }

    private static Appender scalar(ColumnType.Scalar type) {
      return switch (type.kind()) {
        case BOOLEAN ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                to.appendBoolean(from.getBoolean(at));
              }
            };
        case TINYINT ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                to.appendByte(from.getByte(at));
              }
            };
        case SMALLINT ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                to.appendShort(from.getShort(at));
              }
            };
        case INT, DATE, TIME ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                to.appendInt(from.getInt(at));
              }
            };
        case BIGINT, TIMESTAMP, TIMESTAMP_LTZ ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                to.appendLong(from.getLong(at));
              }
            };
        case FLOAT ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                to.appendFloat(from.getFloat(at));
              }
            };
        case DOUBLE ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                to.appendDouble(from.getDouble(at));
              }
            };
        case DECIMAL -> new DecimalAppender(type.precision(), type.scale());
        case CHAR, VARCHAR ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                appendText(from.getUTF8String(at), to);
              }
            };
        case BINARY, VARBINARY ->
            new Appender() {
              @Override
              void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
                byte[] bytes = from.getBinary(at);
                to.appendByteArray(bytes, 0, bytes.length);
              }
            };
        case VARIANT -> throw new IllegalArgumentException("VARIANT cannot be read");
      };
    }

    private static void appendText(UTF8String text, WritableColumnVector to) {
      if (text.getBaseObject() instanceof byte[] bytes) {
        int from = (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
        to.appendByteArray(bytes, from, text.numBytes());
      } else {
        to.appendByteArray(text.getBytes(), 0, text.numBytes());
      }
    }
  }

  private static final class DecimalAppender extends Appender {
    private final int precision;
    private final int scale;

    DecimalAppender(int precision, int scale) {
      this.precision = precision;
      this.scale = scale;
    }

    @Override
    void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
      Decimal value = from.getDecimal(at, precision, scale);
      if (precision <= Decimal.MAX_INT_DIGITS()) {
        to.appendInt((int) value.toUnscaledLong());
      } else if (precision <= Decimal.MAX_LONG_DIGITS()) {
        to.appendLong(value.toUnscaledLong());
      } else {
        byte[] unscaled = value.toJavaBigDecimal().unscaledValue().toByteArray();
        to.appendByteArray(unscaled, 0, unscaled.length);
      }
    }
  }

  private static final class ArrayAppender extends Appender {
    private final Appender element;

    ArrayAppender(Appender element) {
      this.element = element;
    }

    @Override
    void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
      ArrayData array = from.getArray(at);
      to.appendArray(array.numElements());
      appendAll(array, element, to.arrayData());
    }
  }

  private static final class MapAppender extends Appender {
    private final Appender key;
    private final Appender value;

    MapAppender(Appender key, Appender value) {
      this.key = key;
      this.value = value;
    }

    @Override
    void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
      MapData map = from.getMap(at);
      to.appendArray(map.numElements());
      appendAll(map.keyArray(), key, to.getChild(0));
      appendAll(map.valueArray(), value, to.getChild(1));
    }
  }

  private static void appendAll(ArrayData values, Appender appender, WritableColumnVector to) {
    int size = values.numElements();
    for (int i = 0; i < size; i++) {
      appender.append(values, i, to);
    }
  }

  private static final class RowAppender extends Appender {
    private final Appender[] fields;

    RowAppender(Appender[] fields) {
      this.fields = fields;
    }

    @Override
    void appendValue(SpecializedGetters from, int at, WritableColumnVector to) {
      InternalRow row = from.getStruct(at, fields.length);
      to.appendStruct(false);
      for (int i = 0; i < fields.length; i++) {
        fields[i].append(row, i, to.getChild(i));
      }
    }

    @Override
    void appendNull(WritableColumnVector to) {
      to.appendStruct(true); // its fields move along
    }
  }
}
