package io.obelus.core.file.index.kind;

import java.io.Serializable;
import java.util.Map;

/**
 * Options of one index on one column. Immutable.
 *
 * @param prefix what stands before a name in the table's options, for errors: {@code
 *     file-index.bitmap.city.}
 * @param values by name, such as {@code version}
 */
public record IndexOptions(String prefix, Map<String, String> values) implements Serializable {

  public IndexOptions {
    values = Map.copyOf(values);
  }

  /** An index without options of its own. */
  public static final IndexOptions NONE = new IndexOptions("", Map.of());

  /** The text of an option; {@code otherwise} if it is not set. */
  public String text(String name, String otherwise) {
    String value = values.get(name);
    return value == null ? otherwise : value.strip();
  }

  /** What the message of a wrong value says. */
  public IllegalArgumentException bad(String name, String expected) {
    return new IllegalArgumentException(
        "option '%s%s' should be %s but is '%s'"
            .formatted(prefix, name, expected, values.get(name)));
  }
}
