package io.obelus.core.table.schema;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.StringJoiner;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The directory of a partition, from its values (spec chapter 01): {@code pt=1/dt=19723}, escaped.
 * Thread-safe.
 *
 * <p>Nobody reads values back from a directory: null, the empty text and blanks share one.
 */
public record PartitionPath(TableSchema schema) implements Serializable {

  private static final String ESCAPED = "\"#%'*/:=?\\{}[]^\u007f";
  private static final int MICROS = 6; // digits of a Spark time stamp
  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  /** Empty for an unpartitioned table. */
  public String of(RowBytes partition) {
    RowType type = schema.partitionType();
    if (type.size() == 0) {
      return "";
    }
    return of(type, new BinaryRows(type).read(partition.bytes()));
  }

  private String of(RowType type, InternalRow values) {
    TableOptions options = new TableOptions(schema);
    boolean legacy = options.partitionLegacyName();
    StringJoiner path = new StringJoiner("/");
    for (int i = 0; i < type.size(); i++) {
      String text = values.isNullAt(i) ? "" : text(type.column(i), values, i, legacy);
      path.add(
          escape(type.column(i).name())
              + "="
              + escape(text.isBlank() ? options.partitionDefaultName() : text));
    }
    return path.toString();
  }

  /** Each sign that a file system or a URI could take amiss becomes % and two digits. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || ESCAPED.indexOf(c) >= 0) {
        escaped.append("%%%02X".formatted((int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** Refuses a partition column whose values name no directory, before there are any. */
  static void check(Column column, boolean legacy) {
    Scalar type = scalar(column);
    switch (type.kind()) {
      case BINARY, VARBINARY, VARIANT -> throw unsupported(column, "no text");
      case TIMESTAMP, TIMESTAMP_LTZ -> checkTimestamp(column, type, legacy);
      default -> {}
    }
  }

  private static void checkTimestamp(Column column, Scalar type, boolean legacy) {
    if (type.precision() > MICROS) {
      throw unsupported(column, "more digits than Spark keeps");
    }
    if (type.kind() == Kind.TIMESTAMP_LTZ && !legacy) {
      throw new IllegalArgumentException(
          ("partition column '%s' is TIMESTAMP_LTZ and 'partition.legacy-name' is false: its"
                  + " directories would be named by the time zone of whoever writes; use a DATE or"
                  + " TIMESTAMP column")
              .formatted(column.name()));
    }
  }

  private static String text(Column column, InternalRow row, int i, boolean legacy) {
    Scalar type = scalar(column);
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.toString(row.getBoolean(i));
      case TINYINT -> Byte.toString(row.getByte(i));
      case SMALLINT -> Short.toString(row.getShort(i));
      case INT -> Integer.toString(row.getInt(i));
      case BIGINT -> Long.toString(row.getLong(i));
      case FLOAT -> Float.toString(row.getFloat(i));
      case DOUBLE -> Double.toString(row.getDouble(i));
      case CHAR, VARCHAR -> row.getUTF8String(i).toString();
      case DECIMAL -> decimal(row, i, type).toPlainString();
      case DATE ->
          legacy ? Integer.toString(row.getInt(i)) : LocalDate.ofEpochDay(row.getInt(i)).toString();
      case TIME ->
          legacy ? Integer.toString(row.getInt(i)) : timeOfDay(row.getInt(i), type.precision());
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(column, type, row.getLong(i), legacy);
      case BINARY, VARBINARY, VARIANT -> throw unsupported(column, "no text");
    };
  }

  private static BigDecimal decimal(InternalRow row, int i, Scalar type) {
    return row.getDecimal(i, type.precision(), type.scale()).toJavaBigDecimal();
  }

  private static Scalar scalar(Column column) {
    if (column.type() instanceof Scalar scalar) {
      return scalar;
    }
    throw unsupported(column, "parts");
  }

  private static IllegalArgumentException unsupported(Column column, String why) {
    return new IllegalArgumentException(
        "partition column '%s' has type %s, whose values have %s to name a directory by"
            .formatted(column.name(), ColumnTypes.print(column.type()), why));
  }

  private static String timestamp(Column column, Scalar type, long micros, boolean legacy) {
    checkTimestamp(column, type, legacy);
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000L),
            (int) Math.floorMod(micros, 1_000_000L) * 1000,
            ZoneOffset.UTC);
    if (legacy) {
      return time.toString();
    }
    return DAY_AND_TIME.format(time) + fraction(time.getNano(), type.precision());
  }

  private static String timeOfDay(int millis, int precision) {
    LocalTime time = LocalTime.ofNanoOfDay(millis * 1_000_000L);
    String text = time.format(DateTimeFormatter.ofPattern("HH:mm:ss"));
    return precision == 0 ? text : text + fraction(time.getNano(), 1);
  }

  /** The digits behind the second without the zeros at their end, but at least {@code least}. */
  private static String fraction(int nanos, int least) {
    String digits = "%09d".formatted(nanos);
    int length = digits.length();
    while (length > least && digits.charAt(length - 1) == '0') {
      length--;
    }
    return length == 0 ? "" : "." + digits.substring(0, length);
  }
}
