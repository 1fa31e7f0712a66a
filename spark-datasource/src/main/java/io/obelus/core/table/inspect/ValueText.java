package io.obelus.core.table.inspect;

import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Single values as texts, in the two ways of the other engine's system tables: as a cast to text
 * says them (partitions), and as its objects in memory print (keys, statistics).
 *
 * <pre>
 *                   cast                     object
 *   DATE            2024-02-29               19782
 *   TIME(3)         17:45:36.942             63936942
 *   TIMESTAMP(3)    2024-02-29 17:45:36.942  2024-02-29T17:45:36.942
 *   null            null                     null
 * </pre>
 */
final class ValueText {

  private static final long MICROS = 1_000_000L;
  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private ValueText() {}

  /**
   * As a cast to text says it.
   *
   * @param zone of time stamps with local time zone
   */
  static String cast(Scalar type, InternalRow row, int i, ZoneId zone) {
    if (row.isNullAt(i)) {
      return "null";
    }
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay(row.getInt(i)).toString();
      case TIME -> timeOfDay(row.getInt(i), type.precision());
      case TIMESTAMP -> dayAndTime(instant(row.getLong(i)), ZoneOffset.UTC, type.precision());
      case TIMESTAMP_LTZ -> dayAndTime(instant(row.getLong(i)), zone, type.precision());
      default -> object(type, row, i);
    };
  }

  /** As the object in memory prints. */
  static String object(Scalar type, InternalRow row, int i) {
    if (row.isNullAt(i)) {
      return "null";
    }
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.toString(row.getBoolean(i));
      case TINYINT -> Byte.toString(row.getByte(i));
      case SMALLINT -> Short.toString(row.getShort(i));
      case INT, DATE, TIME -> Integer.toString(row.getInt(i));
      case BIGINT -> Long.toString(row.getLong(i));
      case FLOAT -> Float.toString(row.getFloat(i));
      case DOUBLE -> Double.toString(row.getDouble(i));
      case CHAR, VARCHAR -> row.getUTF8String(i).toString();
      case DECIMAL ->
          row.getDecimal(i, type.precision(), type.scale()).toJavaBigDecimal().toPlainString();
      case TIMESTAMP, TIMESTAMP_LTZ ->
          LocalDateTime.ofInstant(instant(row.getLong(i)), ZoneOffset.UTC).toString();
      case BINARY, VARBINARY -> HexFormat.of().formatHex(row.getBinary(i));
      case VARIANT -> throw new IllegalArgumentException("no text for a " + Kind.VARIANT);
    };
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
  }

  private static String dayAndTime(Instant instant, ZoneId zone, int precision) {
    LocalDateTime time = LocalDateTime.ofInstant(instant, zone);
    return DAY_AND_TIME.format(time) + fraction(time.getNano(), precision);
  }

  private static String timeOfDay(int millis, int precision) {
    LocalTime time = LocalTime.ofNanoOfDay(millis * 1_000_000L);
    return TIME.format(time) + fraction(time.getNano(), precision);
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
