package io.obelus.core.table.schema;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One object of a metadata file in JSON (spec chapters 02 and 03): each value is asked for by key
 * and type, and a missing or wrong one is a {@link CorruptFileException} with file and key. Keys
 * nobody asks for are ignored, as the format wants it. A key with value null counts as absent.
 *
 * <pre>
 *   {
 *     "version" : 3,                two blanks per level, a blank on each side of the colon,
 *     "fields" : [ {                arrays opened on the line, line feed between,
 *       "id" : 0                    nothing after the last brace
 *     } ],
 *     "options" : { }
 *   }
 * </pre>
 */
public final class MetadataJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private static final ObjectWriter WRITER =
      MAPPER.writer(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));

  private final String file;
  private final String path;
  private final JsonNode object;

  private MetadataJson(String file, String path, JsonNode object) {
    this.file = file;
    this.path = path;
    this.object = object;
  }

  /** An empty object to be filled for {@link #write}. */
  public static ObjectNode empty() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** The bytes of an object as it stands in a file. */
  public static byte[] write(ObjectNode object) {
    try {
      return WRITER.writeValueAsBytes(object);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a whole file that holds one object. */
  public static MetadataJson read(String file, byte[] content) {
    JsonNode tree;
    try {
      tree = MAPPER.readTree(content);
    } catch (JsonProcessingException e) {
      long at = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
      throw new CorruptFileException(
          new Place(file, at), "this is no JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return of(file, "", tree);
  }

  private static MetadataJson of(String file, String path, JsonNode node) {
    MetadataJson json = new MetadataJson(file, path, node);
    if (!node.isObject()) {
      throw json.corrupt(path.isEmpty() ? "the content" : path, "a JSON object", node);
    }
    return json;
  }

  private CorruptFileException corrupt(String what, String expected, JsonNode found) {
    String text = found == null || found.isMissingNode() ? "missing" : found.toString();
    return new CorruptFileException(
        Place.startOf(file),
        what,
        expected,
        text.length() <= 80 ? text : text.substring(0, 80) + "…");
  }

  /** The error that says what is wrong with the value of {@code key}. */
  public CorruptFileException wrong(String key, Object expected, Object found) {
    return new CorruptFileException(Place.startOf(file), at(key), expected, found);
  }

  private String at(String key) {
    return "key '" + path + key + "'";
  }

  public String file() {
    return file;
  }

  public boolean has(String key) {
    return object.hasNonNull(key);
  }

  public boolean isText(String key) {
    return object.path(key).isTextual();
  }

  public String text(String key) {
    JsonNode value = object.get(key);
    if (value == null || !value.isTextual()) {
      throw corrupt(at(key), "a text", value);
    }
    return value.textValue();
  }

  /** Null if the key is absent. */
  public String textOrNull(String key) {
    return has(key) ? text(key) : null;
  }

  public long number(String key) {
    JsonNode value = object.get(key);
    if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
      throw corrupt(at(key), "a whole number", value);
    }
    return value.longValue();
  }

  public long number(String key, long ifAbsent) {
    return has(key) ? number(key) : ifAbsent;
  }

  /** Null if the key is absent. */
  public Long numberOrNull(String key) {
    return has(key) ? (Long) number(key) : null;
  }

  /** A number with or without a fraction. */
  public BigDecimal decimal(String key) {
    JsonNode value = object.get(key);
    if (value == null || !value.isNumber()) {
      throw corrupt(at(key), "a number", value);
    }
    return value.decimalValue();
  }

  /** A number that fits an int. */
  public int small(String key) {
    long value = number(key);
    if (value != (int) value) {
      throw corrupt(at(key), "a number of 32 bits", object.get(key));
    }
    return (int) value;
  }

  public int small(String key, int ifAbsent) {
    return has(key) ? small(key) : ifAbsent;
  }

  public List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    for (JsonNode value : array(key)) {
      if (!value.isTextual()) {
        throw corrupt(at(key), "a list of texts", value);
      }
      texts.add(value.textValue());
    }
    return texts;
  }

  /** A list of numbers that fit an int. */
  public int[] smalls(String key) {
    JsonNode values = array(key);
    int[] smalls = new int[values.size()];
    for (int i = 0; i < smalls.length; i++) {
      JsonNode value = values.get(i);
      if (!value.isIntegralNumber() || !value.canConvertToInt()) {
        throw corrupt(at(key), "a list of numbers of 32 bits", value);
      }
      smalls[i] = value.intValue();
    }
    return smalls;
  }

  public List<MetadataJson> objects(String key) {
    List<MetadataJson> objects = new ArrayList<>();
    for (JsonNode value : array(key)) {
      objects.add(of(file, path + key + "[" + objects.size() + "].", value));
    }
    return objects;
  }

  private JsonNode array(String key) {
    JsonNode value = object.get(key);
    if (value == null || !value.isArray()) {
      throw corrupt(at(key), "a list", value);
    }
    return value;
  }

  public MetadataJson object(String key) {
    return of(file, path + key + ".", object.path(key));
  }

  /** An object whose values are objects, in the order of the file. */
  public Map<String, MetadataJson> objectMap(String key) {
    MetadataJson all = object(key);
    Map<String, MetadataJson> map = new LinkedHashMap<>();
    all.object.fieldNames().forEachRemaining(name -> map.put(name, all.object(name)));
    return map;
  }

  /** An object whose values are texts, in the order of the file. */
  public Map<String, String> textMap(String key) {
    Map<String, String> map = new LinkedHashMap<>();
    JsonNode value = object.path(key);
    if (!value.isObject()) {
      throw corrupt(at(key), "an object", value);
    }
    value
        .fields()
        .forEachRemaining(
            entry -> {
              if (!entry.getValue().isTextual()) {
                throw corrupt(at(key + "." + entry.getKey()), "a text", entry.getValue());
              }
              map.put(entry.getKey(), entry.getValue().textValue());
            });
    return map;
  }
}
