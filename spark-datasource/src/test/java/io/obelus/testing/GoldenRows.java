package io.obelus.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Expected rows of {@link GoldenTables} as the plain values of {@link PlainValues}: time stamps
 * lose what is below a microsecond, as Spark's have no more.
 */
public final class GoldenRows {

  private static final ObjectMapper JSON = new ObjectMapper();

  private GoldenRows() {}

  /** Rows of one state of a table, in the order of the file. */
  public static List<List<Object>> of(String table, String state, RowType type) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    for (String line : GoldenTables.expected(table, state)) {
      rows.add(row(JSON.readTree(line), type.columns()));
    }
    return rows;
  }

  private static List<Object> row(JsonNode row, List<Column> columns) {
    List<Object> values = new ArrayList<>();
    for (Column column : columns) {
      if (!row.has(column.name())) {
        throw new IllegalArgumentException("no member '" + column.name() + "' in " + row);
      }
      values.add(value(row.get(column.name()), column.type()));
    }
    return values;
  }

  private static Object value(JsonNode value, ColumnType type) {
    if (value.isNull()) {
      return null;
    } else if (type instanceof ColumnType.Array array) {
      List<Object> list = new ArrayList<>();
      value.forEach(element -> list.add(value(element, array.element())));
      return list;
    } else if (type instanceof ColumnType.Map map) {
      Map<Object, Object> plain = new LinkedHashMap<>();
      value.forEach(
          pair -> plain.put(value(pair.get(0), map.key()), value(pair.get(1), map.value())));
      return plain;
    } else if (type instanceof ColumnType.Row row) {
      return row(value, row.columns());
    }
    String text = value.asText();
    return switch (((ColumnType.Scalar) type).kind()) {
      case BOOLEAN -> value.booleanValue();
      case TINYINT -> Byte.valueOf(text);
      case SMALLINT -> Short.valueOf(text);
      case INT -> Integer.valueOf(text);
      case BIGINT -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case CHAR, VARCHAR -> text;
      case BINARY, VARBINARY -> ByteBuffer.wrap(HexFormat.of().parseHex(text));
      case DECIMAL -> new BigDecimal(text);
      case DATE -> LocalDate.parse(text);
      case TIME -> LocalTime.parse(text);
      case TIMESTAMP -> LocalDateTime.parse(text).truncatedTo(ChronoUnit.MICROS);
      case TIMESTAMP_LTZ -> Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
      case VARIANT -> throw new IllegalArgumentException("no plain value of type " + type);
    };
  }
}
