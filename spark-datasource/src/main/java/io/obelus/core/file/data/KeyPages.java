package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The pages that the first key column of one row group has, and the largest key of each. Where the
 * file does not say, or the type has no order to rely on, the row group is one page of which
 * nothing is known.
 */
final class KeyPages {

  private final ColumnType.Scalar type;
  private final long rowCount;
  private final long[] firstRows;
  private final Comparable<?>[] max; // null = not known

  private KeyPages(ColumnType.Scalar type, long rowCount, long[] firstRows, Comparable<?>[] max) {
    this.type = type;
    this.rowCount = rowCount;
    this.firstRows = firstRows;
    this.max = max;
  }

  /**
   * What the footer alone says: the row group as one page.
   *
   * @param column the first key column as the file has it
   */
  static KeyPages wholeRowGroup(BlockMetaData block, Column column) {
    ColumnType.Scalar type = (ColumnType.Scalar) column.type();
    ColumnChunkMetaData chunk = chunk(block, column);
    Comparable<?> max = null;
    if (chunk != null && chunk.getStatistics() != null && chunk.getStatistics().hasNonNullValue()) {
      max = value(type, chunk.getStatistics().genericGetMax());
    }
    return new KeyPages(type, block.getRowCount(), new long[] {0}, new Comparable<?>[] {max});
  }

  /** What the page indexes say, which are read for it. */
  static KeyPages read(ParquetFileReader file, BlockMetaData block, Column column)
      throws IOException {
    ColumnChunkMetaData chunk = chunk(block, column);
    if (chunk == null) {
      return wholeRowGroup(block, column);
    }
    OffsetIndex offsets = file.readOffsetIndex(chunk);
    ColumnIndex index = offsets == null ? null : file.readColumnIndex(chunk);
    if (index == null || index.getMaxValues().size() != offsets.getPageCount()) {
      return wholeRowGroup(block, column);
    }
    ColumnType.Scalar type = (ColumnType.Scalar) column.type();
    List<Boolean> nullPages = index.getNullPages();
    long[] firstRows = new long[offsets.getPageCount()];
    Comparable<?>[] max = new Comparable<?>[firstRows.length];
    for (int page = 0; page < firstRows.length; page++) {
      firstRows[page] = offsets.getFirstRowIndex(page);
      max[page] = nullPages.get(page) ? null : decode(type, index.getMaxValues().get(page));
    }
    return new KeyPages(type, block.getRowCount(), firstRows, max);
  }

  private static ColumnChunkMetaData chunk(BlockMetaData block, Column column) {
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      if (chunk.getPath().size() == 1 && chunk.getPath().toArray()[0].equals(column.name())) {
        return chunk;
      }
    }
    return null;
  }

  int count() {
    return firstRows.length;
  }

  /** First row of a page; the row count of the row group behind the last page. */
  long firstRow(int page) {
    return page == firstRows.length ? rowCount : firstRows[page];
  }

  /** The first page from {@code from} on that may hold a key not below {@code key}. */
  int firstNotBelow(InternalRow key, int from) {
    Comparable<?> sought = sought(key);
    int page = from;
    while (page < firstRows.length && isBelow(max[page], sought)) {
      page++;
    }
    return page;
  }

  private static boolean isBelow(Comparable<?> max, Comparable<?> sought) {
    if (max == null || sought == null) {
      return false;
    } else if (max instanceof Long number) {
      return number < (Long) sought;
    }
    return ((UTF8String) max).compareTo((UTF8String) sought) < 0;
  }

  /** Column 0 of a key in the measure of {@link #value}. */
  private Comparable<?> sought(InternalRow key) {
    if (key.isNullAt(0)) {
      return null;
    }
    return switch (type.kind()) {
      case TINYINT -> Long.valueOf(key.getByte(0));
      case SMALLINT -> Long.valueOf(key.getShort(0));
      case INT, DATE, TIME -> Long.valueOf(key.getInt(0));
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> Long.valueOf(key.getLong(0));
      case DECIMAL ->
          type.precision() <= Decimal.MAX_LONG_DIGITS()
              ? Long.valueOf(key.getDecimal(0, type.precision(), type.scale()).toUnscaledLong())
              : null;
      case CHAR, VARCHAR -> key.getUTF8String(0);
      case BOOLEAN, FLOAT, DOUBLE, BINARY, VARBINARY, VARIANT -> null;
    };
  }

  /** A largest value of Parquet's as a Long or a text; null if it cannot be relied on. */
  private static Comparable<?> value(ColumnType.Scalar type, Object max) {
    return switch (type.kind()) {
      case TINYINT, SMALLINT, INT, DATE, TIME, BIGINT -> Long.valueOf(((Number) max).longValue());
      case DECIMAL -> max instanceof Number number ? Long.valueOf(number.longValue()) : null;
      case TIMESTAMP, TIMESTAMP_LTZ ->
          max instanceof Number number
              ? Long.valueOf(number.longValue() * (ParquetSchemas.isMillis(type) ? 1000 : 1))
              : null;
      case CHAR, VARCHAR -> UTF8String.fromBytes(((Binary) max).getBytes());
      case BOOLEAN, FLOAT, DOUBLE, BINARY, VARBINARY, VARIANT -> null;
    };
  }

  private static Comparable<?> decode(ColumnType.Scalar type, ByteBuffer max) {
    ByteBuffer bytes = max.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    return switch (type.kind()) {
      case TINYINT, SMALLINT, INT, DATE, TIME -> value(type, bytes.getInt());
      case BIGINT -> value(type, bytes.getLong());
      case DECIMAL ->
          type.precision() > Decimal.MAX_LONG_DIGITS()
              ? null
              : value(
                  type,
                  type.precision() <= Decimal.MAX_INT_DIGITS()
                      ? (Number) bytes.getInt()
                      : (Number) bytes.getLong());
      case TIMESTAMP, TIMESTAMP_LTZ ->
          ParquetSchemas.isInt96(type) ? null : value(type, bytes.getLong());
      case CHAR, VARCHAR -> value(type, Binary.fromConstantByteBuffer(bytes));
      case BOOLEAN, FLOAT, DOUBLE, BINARY, VARBINARY, VARIANT -> null;
    };
  }
}
