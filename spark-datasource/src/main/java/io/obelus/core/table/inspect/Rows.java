package io.obelus.core.table.inspect;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Makes columns and rows of system tables from plain texts and values. */
final class Rows {

  private static final long MICROS = 1_000_000L;

  private Rows() {}

  /** Columns as in SQL: {@code "bucket INT NOT NULL"}. */
  static RowType type(String... columns) {
    List<Column> typed = new ArrayList<>();
    for (String column : columns) {
      typed.add(column(typed.size(), column));
    }
    return new RowType(typed);
  }

  static Column column(int id, String column) {
    int blank = column.indexOf(' ');
    return new Column(
        id, column.substring(0, blank), ColumnTypes.parse(column.substring(blank + 1)));
  }

  /** A row of Integer, Long, Double, String, LocalDateTime, Spark's own values, or null. */
  static InternalRow of(Object... values) {
    Object[] internal = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      internal[i] = internal(values[i]);
    }
    return new GenericInternalRow(internal);
  }

  private static Object internal(Object value) {
    if (value instanceof String text) {
      return UTF8String.fromString(text);
    } else if (value instanceof LocalDateTime time) {
      return time.toEpochSecond(ZoneOffset.UTC) * MICROS + time.getNano() / 1000;
    }
    return value;
  }
}
