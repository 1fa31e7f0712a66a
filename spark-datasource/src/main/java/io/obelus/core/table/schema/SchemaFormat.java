package io.obelus.core.table.schema;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.obelus.core.io.Place;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes schema files (spec chapter 02).
 *
 * <pre>
 *   {
 *     "version" : 3,               absent = 1
 *     "id" : 0,
 *     "fields" : [ {
 *       "id" : 5,
 *       "name" : "arr",
 *       "type" : {                 or a text: "INT NOT NULL"
 *         "type" : "ARRAY",        ARRAY and MULTISET: element; MAP: key, value; ROW: fields
 *         "element" : "INT"
 *       },
 *       "description" : "…",       if there is one
 *       "defaultValue" : "…"       if there is one
 *     } ],
 *     "highestFieldId" : 8,
 *     "partitionKeys" : [ "dt" ],
 *     "primaryKeys" : [ "k1", "dt" ],
 *     "options" : {
 *       "bucket" : "2"
 *     },
 *     "comment" : "…",             if there is one
 *     "timeMillis" : 1796004105204
 *   }
 * </pre>
 *
 * <p>Older versions differ in what an absent option means; reading puts that meaning into the
 * options, so that nobody else has to know.
 */
final class SchemaFormat {

  static final int V1 = 1; // no option bucket: 1 bucket; no option file.format: orc
  static final int V2 = 2; // no option file.format: orc
  static final int V3 = 3;
  static final int WRITTEN = V3;

  private static final String NOT_NULL = " NOT NULL";

  private SchemaFormat() {}

  static byte[] write(TableSchema schema) {
    ObjectNode json = MetadataJson.empty();
    json.put("version", schema.version());
    json.put("id", schema.id());
    json.set("fields", columns(schema.rowType()));
    json.put("highestFieldId", schema.highestFieldId());
    schema.partitionKeys().forEach(json.putArray("partitionKeys")::add);
    schema.primaryKeys().forEach(json.putArray("primaryKeys")::add);
    schema.options().forEach(json.putObject("options")::put);
    if (schema.comment() != null) {
      json.put("comment", schema.comment());
    }
    json.put("timeMillis", schema.timeMillis());
    return MetadataJson.write(json);
  }

  /**
   * @param file path, for errors
   * @param id that the file's name says
   */
  static TableSchema read(String file, long id, byte[] content) {
    MetadataJson json = MetadataJson.read(file, content);
    int version = json.small("version", V1);
    if (version < V1 || version > V3) {
      throw new UnknownVersionException(Place.startOf(file), "table schema", version, V1, V2, V3);
    }
    if (json.number("id") != id) {
      throw json.wrong("id", id + ", as the file name says,", json.number("id"));
    }
    Map<String, String> options = new LinkedHashMap<>(json.textMap("options"));
    if (version == V1) {
      options.putIfAbsent(TableOptions.BUCKET, "1");
    }
    if (version <= V2) {
      options.putIfAbsent(TableOptions.FILE_FORMAT, "orc");
    }
    List<Column> columns = readColumns(json, "fields");
    List<String> names = columns.stream().map(Column::name).toList();
    return new TableSchema(
        version,
        id,
        new RowType(columns),
        json.small("highestFieldId"),
        among(names, json, "partitionKeys"),
        among(names, json, "primaryKeys"),
        options,
        json.textOrNull("comment"),
        json.number("timeMillis", 0));
  }

  private static List<String> among(List<String> columns, MetadataJson json, String key) {
    List<String> keys = json.texts(key);
    for (String name : keys) {
      if (!columns.contains(name)) {
        throw json.wrong(key, "among the columns " + columns, "'" + name + "'");
      }
    }
    return keys;
  }

  /** Value of the key "fields". */
  static ArrayNode columns(RowType type) {
    ArrayNode columns = JsonNodeFactory.instance.arrayNode();
    writeColumns(columns, type.columns());
    return columns;
  }

  private static void writeColumns(ArrayNode fields, List<Column> columns) {
    for (Column column : columns) {
      ObjectNode field = fields.addObject();
      field.put("id", column.id());
      field.put("name", column.name());
      writeType(field, "type", column.type());
      if (column.comment() != null) {
        field.put("description", column.comment());
      }
      if (column.defaultValue() != null) {
        field.put("defaultValue", column.defaultValue());
      }
    }
  }

  private static List<Column> readColumns(MetadataJson json, String key) {
    List<Column> columns = new ArrayList<>();
    for (MetadataJson field : json.objects(key)) {
      String name = field.text("name");
      if (columns.stream().anyMatch(other -> other.name().equals(name))) {
        throw field.wrong("name", "unlike all names before it", "'" + name + "' again");
      }
      columns.add(
          new Column(
              field.small("id"),
              name,
              readType(field, "type", name),
              field.textOrNull("description"),
              field.textOrNull("defaultValue")));
    }
    return columns;
  }

  private static void writeType(ObjectNode parent, String key, ColumnType type) {
    if (type instanceof ColumnType.Scalar) {
      parent.put(key, ColumnTypes.print(type));
      return;
    }
    ObjectNode json = parent.putObject(key);
    String suffix = type.nullable() ? "" : NOT_NULL;
    if (type instanceof ColumnType.Array array) {
      json.put("type", "ARRAY" + suffix);
      writeType(json, "element", array.element());
    } else if (type instanceof ColumnType.Multiset multiset) {
      json.put("type", "MULTISET" + suffix);
      writeType(json, "element", multiset.element());
    } else if (type instanceof ColumnType.Map map) {
      json.put("type", "MAP" + suffix);
      writeType(json, "key", map.key());
      writeType(json, "value", map.value());
    } else if (type instanceof ColumnType.Row row) {
      json.put("type", "ROW" + suffix);
      writeColumns(json.putArray("fields"), row.columns());
    }
  }

  private static ColumnType readType(MetadataJson parent, String key, String column) {
    if (parent.isText(key)) {
      return readScalar(parent.text(key), parent, column);
    }
    MetadataJson json = parent.object(key);
    String text = json.text("type");
    boolean nullable = !text.endsWith(NOT_NULL);
    String word = nullable ? text : text.substring(0, text.length() - NOT_NULL.length());
    return switch (word) {
      case "ARRAY" -> new ColumnType.Array(readType(json, "element", column), nullable);
      case "MULTISET" -> new ColumnType.Multiset(readType(json, "element", column), nullable);
      case "MAP" ->
          new ColumnType.Map(
              readType(json, "key", column), readType(json, "value", column), nullable);
      case "ROW" -> new ColumnType.Row(readColumns(json, "fields"), nullable);
      default -> throw unknownType(text, json, column, null);
    };
  }

  private static ColumnType readScalar(String text, MetadataJson json, String column) {
    try {
      return ColumnTypes.parse(text);
    } catch (IllegalArgumentException e) {
      throw unknownType(text, json, column, e);
    }
  }

  private static IllegalArgumentException unknownType(
      String text, MetadataJson json, String column, RuntimeException cause) {
    return new IllegalArgumentException(
        ("%s: column '%s' has type '%s', which this release does not know. A newer "
                + "engine made it; use a newer release.")
            .formatted(json.file(), column, text),
        cause);
  }
}
