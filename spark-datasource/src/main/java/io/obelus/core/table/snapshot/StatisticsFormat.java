package io.obelus.core.table.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.MetadataJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import org.apache.spark.sql.types.Decimal;

/**
 * Reads and writes files of statistics (spec chapter 03).
 *
 * <pre>
 *   {
 *     "snapshotId" : 7,
 *     "schemaId" : 0,
 *     "mergedRecordCount" : 1000,
 *     "mergedRecordSize" : 24000,       bytes
 *     "colStats" : {
 *       "day" : {
 *         "colId" : 1,
 *         "distinctCount" : 3,          keys without a value are left out
 *         "min" : "19723",              days since 1970; see below
 *         "max" : "19725",
 *         "nullCount" : 0,
 *         "avgLen" : 4,                 bytes
 *         "maxLen" : 4
 *       }
 *     }
 *   }
 * </pre>
 *
 * <p>Bounds are texts: numbers and truth values as Java prints them, DATE and TIME as their
 * numbers, DECIMAL without exponent, times as {@code 2024-02-29 17:45:36.942} with at least the
 * digits of their precision, those with a time zone in UTC. Texts and bytes have none.
 */
final class StatisticsFormat {

  private static final long MICROS = 1_000_000L;

  private StatisticsFormat() {}

  static byte[] write(TableStatistics statistics, RowType columns) {
    ObjectNode json = MetadataJson.empty();
    json.put("snapshotId", statistics.snapshotId());
    json.put("schemaId", statistics.schemaId());
    put(json, "mergedRecordCount", statistics.rowCount());
    put(json, "mergedRecordSize", statistics.byteSize());
    json.set("colStats", columns(statistics, columns));
    return MetadataJson.write(json);
  }

  static ObjectNode columns(TableStatistics statistics, RowType columns) {
    ObjectNode all = MetadataJson.empty();
    statistics
        .columns()
        .forEach(
            (name, column) -> {
              Scalar type = (Scalar) columns.column(columns.indexOfId(column.columnId())).type();
              ObjectNode json = all.putObject(name);
              json.put("colId", column.columnId());
              put(json, "distinctCount", column.distinctCount());
              put(json, "min", type, column.min());
              put(json, "max", type, column.max());
              put(json, "nullCount", column.nullCount());
              put(json, "avgLen", column.averageLength());
              put(json, "maxLen", column.maxLength());
            });
    return all;
  }

  private static void put(ObjectNode json, String key, Long value) {
    if (value != null) {
      json.put(key, value);
    }
  }

  private static void put(ObjectNode json, String key, Scalar type, Object value) {
    if (value != null) {
      json.put(key, text(type, value));
    }
  }

  /**
   * @param file path, for errors
   * @param schemas columns of a schema, by its id
   */
  static TableStatistics read(String file, byte[] content, LongFunction<RowType> schemas) {
    MetadataJson json = MetadataJson.read(file, content);
    long schemaId = json.number("schemaId");
    Map<String, ColumnStatistics> columns = new LinkedHashMap<>();
    if (json.has("colStats")) {
      RowType type = schemas.apply(schemaId);
      json.objectMap("colStats").forEach((name, column) -> columns.put(name, read(column, type)));
    }
    return new TableStatistics(
        json.number("snapshotId"),
        schemaId,
        json.numberOrNull("mergedRecordCount"),
        json.numberOrNull("mergedRecordSize"),
        columns);
  }

  private static ColumnStatistics read(MetadataJson json, RowType columns) {
    int id = json.small("colId");
    int index = columns.indexOfId(id);
    Column column = index < 0 ? null : columns.column(index);
    if (column == null) {
      throw json.wrong("colId", "that of a column of the schema", id);
    }
    return new ColumnStatistics(
        id,
        json.numberOrNull("distinctCount"),
        bound(json, "min", column),
        bound(json, "max", column),
        json.numberOrNull("nullCount"),
        json.numberOrNull("avgLen"),
        json.numberOrNull("maxLen"));
  }

  private static Object bound(MetadataJson json, String key, Column column) {
    String text = json.textOrNull(key);
    if (text == null || !(column.type() instanceof Scalar scalar)) {
      return null;
    }
    try {
      return value(scalar, text);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw json.wrong(key, "a value of type " + scalar.kind(), text);
    }
  }

  private static String text(Scalar type, Object value) {
    return switch (type.kind()) {
      case DECIMAL -> ((Decimal) value).toJavaBigDecimal().toPlainString();
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long micros = (Long) value;
        long nanos = Math.floorMod(micros, MICROS) * 1000;
        Instant instant = Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), nanos);
        yield time(type.precision()).format(instant.atOffset(ZoneOffset.UTC));
      }
      default -> value.toString();
    };
  }

  /** Null for types whose bounds Spark has no use for. */
  private static Object value(Scalar type, String text) {
    return switch (type.kind()) {
      case BOOLEAN -> truth(text);
      case TINYINT -> Byte.valueOf(text);
      case SMALLINT -> Short.valueOf(text);
      case INT, DATE, TIME -> Integer.valueOf(text);
      case BIGINT -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case DECIMAL -> Decimal.apply(new java.math.BigDecimal(text), type.precision(), type.scale());
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        LocalDateTime time = LocalDateTime.parse(text, time(0));
        yield time.toEpochSecond(ZoneOffset.UTC) * MICROS + time.getNano() / 1000;
      }
      case CHAR, VARCHAR, BINARY, VARBINARY, VARIANT -> null;
    };
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static DateTimeFormatter time(int digits) {
    return new DateTimeFormatterBuilder()
        .appendPattern("uuuu-MM-dd HH:mm:ss")
        .appendFraction(ChronoField.NANO_OF_SECOND, digits, 9, true)
        .toFormatter(Locale.ROOT)
        .withResolverStyle(ResolverStyle.STRICT);
  }
}
