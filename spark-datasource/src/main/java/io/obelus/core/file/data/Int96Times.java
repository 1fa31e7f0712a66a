package io.obelus.core.file.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Time stamps that a file keeps as INT96, rounded down to microseconds (spec chapter 07: 8 bytes
 * nanoseconds of the day, 4 bytes Julian day, little endian).
 *
 * <p>Other writers give days before 1970 a negative number of nanoseconds, and Spark's decoder
 * rounds those towards zero: one microsecond too late. So such columns are read a second time and
 * their vectors put right; time stamps inside arrays, maps and rows are not. Not thread-safe.
 */
final class Int96Times {

  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int JULIAN_EPOCH = 2_440_588;

  private final OpenFile file;
  private final MessageType times;
  private final WritableColumnVector[] vectors;
  private final ColumnReader[] readers;
  private long next; // row of the row group that the readers are at

  private Int96Times(
      OpenFile file, String name, List<Type> columns, List<WritableColumnVector> vectors) {
    this.file = file;
    this.times = new MessageType(name, columns);
    this.vectors = vectors.toArray(WritableColumnVector[]::new);
    this.readers = new ColumnReader[this.vectors.length];
  }

  /**
   * Null if no column needs it.
   *
   * @param decoded vectors of the columns of {@code requested}, in this order
   */
  static Int96Times of(OpenFile file, MessageType requested, WritableColumnVector[] decoded) {
    MessageType stored = file.schema();
    List<Type> columns = new ArrayList<>();
    List<WritableColumnVector> vectors = new ArrayList<>();
    for (int i = 0; i < decoded.length; i++) {
      Type type = requested.getType(i);
      if (stored.containsField(type.getName())
          && type.isPrimitive()
          && type.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT96) {
        columns.add(type);
        vectors.add(decoded[i]);
      }
    }
    return columns.isEmpty() ? null : new Int96Times(file, requested.getName(), columns, vectors);
  }

  /** Begins with a row group, all of which is read whatever ranges of it are decoded. */
  void begin(BlockMetaData block) throws IOException {
    RowGroupPages store = RowGroupPages.all(file, block, times);
    String writer = file.pages().getFileMetaData().getCreatedBy();
    ColumnReadStoreImpl columns = new ColumnReadStoreImpl(store, NO_RECORDS, times, writer);
    for (int i = 0; i < readers.length; i++) {
      readers[i] = columns.getColumnReader(times.getColumns().get(i));
    }
    next = 0;
  }

  /**
   * Puts one decoded row right; rows come in ascending order.
   *
   * @param row of the batch
   * @param position of the row in the row group
   */
  void correct(int row, long position) {
    for (int i = 0; i < readers.length; i++) {
      ColumnReader reader = readers[i];
      int present = times.getColumns().get(i).getMaxDefinitionLevel();
      for (long skipped = next; skipped < position; skipped++) {
        if (reader.getCurrentDefinitionLevel() == present) {
          reader.skip(); // moving on alone would leave the value to the next row
        }
        reader.consume();
      }
      if (reader.getCurrentDefinitionLevel() == present) {
        vectors[i].putLong(row, micros(reader.getBinary().toByteBuffer()));
      }
      reader.consume();
    }
    next = position + 1;
  }

  private static long micros(ByteBuffer int96) {
    ByteBuffer bytes = int96.slice().order(ByteOrder.LITTLE_ENDIAN);
    long nanos = bytes.getLong(0);
    long day = bytes.getInt(8) - JULIAN_EPOCH;
    return day * MICROS_PER_DAY + Math.floorDiv(nanos, 1000L);
  }

  /** Values are fetched one by one, so nothing is ever converted. */
  private static final GroupConverter NO_RECORDS =
      new GroupConverter() {
        @Override
        public Converter getConverter(int field) {
          return new PrimitiveConverter() {};
        }

        @Override
        public void start() {}

        @Override
        public void end() {}
      };
}
