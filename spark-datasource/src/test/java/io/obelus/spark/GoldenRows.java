package io.obelus.spark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import scala.collection.JavaConverters;

/**
 * One text per row, the same for a row that Spark returned and for its line in a golden table's
 * {@code .ndjson}. Spark's time stamps end at microseconds, so the texts do too.
 */
final class GoldenRows {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_DIGITS = 6;

  private GoldenRows() {}

  static List<String> ofSpark(RowType type, List<Row> rows) {
    return rows.stream().map(row -> row(type.columns(), row)).sorted().toList();
  }

  static List<String> ofJson(RowType type, List<String> lines) {
    return lines.stream()
        .map(
            line -> {
              try {
                return row(type.columns(), JSON.readTree(line));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .sorted()
        .toList();
  }

  private static String row(List<Column> columns, Row row) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      fields.add(column.name() + ":" + text(column.type(), row.get(i)));
    }
    return fields.toString();
  }

  private static String row(List<Column> columns, JsonNode object) {
    return columns.stream()
        .map(column -> column.name() + ":" + text(column.type(), object.get(column.name())))
        .toList()
        .toString();
  }

  private static String text(ColumnType type, Object value) {
    if (value == null) {
      return "null";
    } else if (type instanceof ColumnType.Array array) {
      return JavaConverters.seqAsJavaList((scala.collection.Seq<?>) value).stream()
          .map(element -> text(array.element(), element))
          .toList()
          .toString();
    } else if (type instanceof ColumnType.Map map) {
      return JavaConverters.mapAsJavaMap((scala.collection.Map<?, ?>) value).entrySet().stream()
          .map(e -> text(map.key(), e.getKey()) + "=" + text(map.value(), e.getValue()))
          .sorted()
          .collect(Collectors.joining(", ", "{", "}"));
    } else if (type instanceof ColumnType.Row row) {
      return row(row.columns(), (Row) value);
    }
    ColumnType.Scalar scalar = (ColumnType.Scalar) type;
    return switch (scalar.kind()) {
      case BINARY, VARBINARY -> HexFormat.of().formatHex((byte[]) value);
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case TIME -> DateTimeFormatter.ofPattern("HH:mm:ss.SSS").format(ofMillis((Integer) value));
      case TIMESTAMP -> time((LocalDateTime) value, scalar.precision());
      case TIMESTAMP_LTZ ->
          time(LocalDateTime.ofInstant((Instant) value, ZoneOffset.UTC), scalar.precision());
      default -> value.toString();
    };
  }

  private static LocalTime ofMillis(int millis) {
    return LocalTime.ofNanoOfDay(millis * 1_000_000L);
  }

  private static String time(LocalDateTime value, int precision) {
    int digits = Math.min(precision, MOST_DIGITS);
    String pattern = "uuuu-MM-dd'T'HH:mm:ss" + (digits == 0 ? "" : "." + "S".repeat(digits));
    return DateTimeFormatter.ofPattern(pattern).format(value);
  }

  private static String text(ColumnType type, JsonNode value) {
    if (value == null || value.isNull()) {
      return "null";
    } else if (type instanceof ColumnType.Array array) {
      List<String> elements = new ArrayList<>();
      value.forEach(element -> elements.add(text(array.element(), element)));
      return elements.toString();
    } else if (type instanceof ColumnType.Map map) {
      List<String> entries = new ArrayList<>();
      value.forEach(
          e -> entries.add(text(map.key(), e.get(0)) + "=" + text(map.value(), e.get(1))));
      return entries.stream().sorted().collect(Collectors.joining(", ", "{", "}"));
    } else if (type instanceof ColumnType.Row row) {
      return row(row.columns(), value);
    }
    ColumnType.Scalar scalar = (ColumnType.Scalar) type;
    return switch (scalar.kind()) {
      case FLOAT -> value.isTextual() ? value.asText() : String.valueOf((float) value.asDouble());
      case DOUBLE -> value.isTextual() ? value.asText() : String.valueOf(value.asDouble());
      case TIMESTAMP, TIMESTAMP_LTZ -> cut(value.asText().replace("Z", ""));
      default -> value.asText();
    };
  }

  private static String cut(String time) {
    int dot = time.indexOf('.');
    return dot < 0 ? time : time.substring(0, Math.min(time.length(), dot + 1 + MOST_DIGITS));
  }
}
