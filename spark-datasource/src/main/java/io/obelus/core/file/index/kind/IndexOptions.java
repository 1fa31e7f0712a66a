package io.obelus.core.file.index.kind;

import java.io.Serializable;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Options of one index on one column. Immutable.
 *
 * @param prefix what stands before a name in the table's options, for errors: {@code
 *     file-index.bitmap.city.}
 * @param values by name, such as {@code version}
 */
public record IndexOptions(String prefix, Map<String, String> values) implements Serializable {

  private static final Pattern SIZE = Pattern.compile("(\\d{1,10})\\s*([a-z]*)");

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

  /**
   * A number of bytes such as {@code 16kb}, {@code 64 b} or {@code 4096}; a kilobyte is 1024 bytes.
   *
   * @throws IllegalArgumentException if it is none, or 2 GiB or more
   */
  public int bytes(String name, int otherwise) {
    if (!values.containsKey(name)) {
      return otherwise;
    }
    Matcher size = SIZE.matcher(text(name, "").toLowerCase(Locale.ROOT));
    if (size.matches()) {
      long bytes = Long.parseLong(size.group(1));
      bytes =
          switch (size.group(2)) {
            case "", "b", "bytes" -> bytes;
            case "k", "kb", "kibibytes" -> bytes << 10;
            case "m", "mb", "mebibytes" -> bytes << 20;
            case "g", "gb", "gibibytes" -> bytes << 30;
            default -> -1;
          };
      if (bytes >= 0 && bytes <= Integer.MAX_VALUE) {
        return (int) bytes;
      }
    }
    throw bad(name, "a size below 2 gb such as 16kb");
  }

  /** What the message of a wrong value says. */
  public IllegalArgumentException bad(String name, String expected) {
    return new IllegalArgumentException(
        "option '%s%s' should be %s but is '%s'"
            .formatted(prefix, name, expected, values.get(name)));
  }
}
