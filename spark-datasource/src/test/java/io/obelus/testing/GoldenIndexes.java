package io.obelus.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.obelus.core.file.position.Positions;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.roaringbitmap.RoaringBitmap;

/**
 * Indexes of one column that Paimon 1.3.1 wrote, with the column and with what Paimon answers; read
 * {@code golden/index/README.md} first. The directory comes from {@code -Dgolden=…}.
 */
public final class GoldenIndexes {

  private static final ObjectMapper JSON = new ObjectMapper();

  private GoldenIndexes() {}

  /** What Paimon says of a condition. */
  public enum Result {
    /** Rows. */
    BITMAP,
    /** Any row. */
    REMAIN,
    /** No row. */
    SKIP
  }

  /**
   * A condition and what Paimon says of it.
   *
   * @param op as the description has it, such as {@code not_in}
   * @param leaf null where our conditions have no such leaf: {@code top_n}, or a literal that is
   *     null in {@code =} or NOT IN
   * @param negated whether the condition is NOT leaf
   * @param rows what Paimon answers; null if the result is not BITMAP
   * @param sqlRows the rows of which the condition is true; null if the description does not tell
   * @param lossy Paimon's answer lacks some of {@code sqlRows}, which is an error of its
   */
  public record Query(
      String op,
      Predicate leaf,
      boolean negated,
      Result result,
      Positions rows,
      Positions sqlRows,
      boolean lossy) {}

  /**
   * One index.
   *
   * @param column named {@code c}, of the type indexed
   * @param options of the index, such as {@code version}
   * @param values one a row, null or Spark's internal value of the type: time stamps are in
   *     microseconds, nanoseconds cut off
   */
  public record GoldenIndex(
      String name,
      String kind,
      Column column,
      Map<String, String> options,
      List<Object> values,
      byte[] payload,
      List<Query> queries) {

    public ColumnType type() {
      return column.type();
    }

    public int rowCount() {
      return values.size();
    }

    /** The values as rows of one column. */
    public List<InternalRow> rows() {
      return values.stream()
          .map(value -> (InternalRow) new GenericInternalRow(new Object[] {value}))
          .toList();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** All indexes of a kind, such as {@code bloom-filter}, by name. */
  public static List<GoldenIndex> of(String kind) {
    try {
      List<GoldenIndex> indexes = new ArrayList<>();
      for (JsonNode vector : JSON.readTree(path("index.json").toFile()).get("vectors")) {
        if (vector.get("kind").asText().equals(kind)) {
          indexes.add(named(vector.get("name").asText()));
        }
      }
      return indexes;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One index, such as {@code bitmap-v2-date}. */
  public static GoldenIndex named(String name) {
    try {
      JsonNode json = JSON.readTree(path(name + ".json").toFile());
      Column column = new Column(0, "c", ColumnTypes.parse(json.get("type").asText()));
      Map<String, String> options = new LinkedHashMap<>();
      json.get("index_options")
          .fields()
          .forEachRemaining(option -> options.put(option.getKey(), option.getValue().asText()));
      List<Object> values = values(json, column.type());
      if (values.size() != json.get("row_count").asInt()) {
        throw new IllegalStateException(name + ": " + values.size() + " values");
      }
      List<Query> queries = new ArrayList<>();
      json.get("queries").forEach(query -> queries.add(query(query, column)));
      return new GoldenIndex(
          name,
          json.get("kind").asText(),
          column,
          options,
          values,
          Files.readAllBytes(path(name + ".bin")),
          queries);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path path(String name) {
    String golden = System.getProperty("golden");
    if (golden == null) {
      throw new IllegalStateException(
          "run with -Dgolden=<repository>/spark-datasource/src/test/resources/golden");
    }
    return Path.of(golden, "index", name);
  }

  private static List<Object> values(JsonNode json, ColumnType type) {
    List<Object> values = new ArrayList<>();
    json.path("values").forEach(value -> values.add(value(value, type)));
    json.path("values_rle")
        .forEach(
            run -> values.addAll(Collections.nCopies(run.get(1).asInt(), value(run.get(0), type))));
    return values;
  }

  private static Query query(JsonNode json, Column column) {
    Result result = Result.valueOf(json.get("result").asText());
    Positions rows = result == Result.BITMAP ? positions(json.get("rows")) : null;
    Positions sqlRows = json.has("sql_rows") ? positions(json.get("sql_rows")) : rows;
    String op = json.get("op").asText();
    return new Query(
        op,
        leaf(op, json, column),
        op.equals("not_in") || op.equals("is_not_null"),
        result,
        rows,
        sqlRows,
        json.path("vs_sql").asText().equals("LOSES_ROWS"));
  }

  private static Positions positions(JsonNode ranges) {
    RoaringBitmap bitmap = new RoaringBitmap();
    ranges.forEach(range -> bitmap.add(range.get(0).asLong(), range.get(1).asLong() + 1));
    return new Positions(bitmap);
  }

  private static Predicate leaf(String op, JsonNode json, Column column) {
    List<Object> literals = new ArrayList<>();
    json.path("args").forEach(arg -> literals.add(value(arg, column.type())));
    boolean withNull = literals.removeIf(Objects::isNull);
    return switch (op) {
      case "top_n" -> null;
      case "is_null", "is_not_null" -> new Predicate.IsNull(column);
      case "in" -> new Predicate.In(column, literals);
      case "not_in" -> withNull ? null : new Predicate.In(column, literals);
      default -> withNull ? null : comparison(op, column, literals.get(0));
    };
  }

  private static Predicate comparison(String op, Column column, Object literal) {
    return switch (op) {
      case "starts_with" -> new Predicate.StartsWith(column, (UTF8String) literal);
      case "eq" -> new Predicate.Compare(column, Comparison.EQUAL, literal);
      case "ne" -> new Predicate.Compare(column, Comparison.NOT_EQUAL, literal);
      case "lt" -> new Predicate.Compare(column, Comparison.LESS, literal);
      case "le" -> new Predicate.Compare(column, Comparison.LESS_OR_EQUAL, literal);
      case "gt" -> new Predicate.Compare(column, Comparison.GREATER, literal);
      case "ge" -> new Predicate.Compare(column, Comparison.GREATER_OR_EQUAL, literal);
      default -> throw new IllegalStateException("what is " + op + "?");
    };
  }

  private static Object value(JsonNode json, ColumnType type) {
    return json.isNull() ? null : PlainValues.spark(plain(json, (ColumnType.Scalar) type), type);
  }

  private static Object plain(JsonNode json, ColumnType.Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> json.booleanValue();
      case TINYINT -> (byte) json.intValue();
      case SMALLINT -> json.shortValue();
      case INT -> json.intValue();
      case BIGINT -> json.longValue();
      case FLOAT -> Float.valueOf(json.asText());
      case DOUBLE -> Double.valueOf(json.asText());
      case DECIMAL -> new BigDecimal(json.asText());
      case CHAR, VARCHAR -> json.textValue();
      case BINARY, VARBINARY -> ByteBuffer.wrap(HexFormat.of().parseHex(json.textValue()));
      case DATE -> LocalDate.parse(json.textValue());
      case TIME -> LocalTime.parse(json.textValue());
      case TIMESTAMP -> LocalDateTime.parse(json.textValue());
      case TIMESTAMP_LTZ -> Instant.parse(json.textValue());
      case VARIANT -> throw new IllegalStateException("no index of VARIANT");
    };
  }
}
