package io.obelus.core.row;

import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The texts by which schema files call the types without parts (spec chapter 02): {@code INT NOT
 * NULL}, {@code DECIMAL(20, 2)}, {@code TIMESTAMP(6) WITH LOCAL TIME ZONE}. Reading takes more
 * spellings than writing makes.
 */
public final class ColumnTypes {

  private static final int MAX_PRECISION = 9; // of a time or time stamp: nanoseconds
  private static final int MAX_DECIMAL_PRECISION = 38;

  private ColumnTypes() {}

  /**
   * The type that a text means, nullable unless it ends in {@code NOT NULL};
   * IllegalArgumentException names the text if it is none.
   */
  public static ColumnType parse(String text) {
    return new Words(text).type();
  }

  /**
   * The text of a type as schema files keep it. A type with parts gets one for people, such as
   * {@code ARRAY<INT>}, which {@link #parse} does not take.
   */
  public static String print(ColumnType type) {
    return bare(type) + (type.nullable() ? "" : " NOT NULL");
  }

  private static String bare(ColumnType type) {
    if (type instanceof Scalar scalar) {
      return bare(scalar);
    } else if (type instanceof ColumnType.Array array) {
      return "ARRAY<" + print(array.element()) + ">";
    } else if (type instanceof ColumnType.Multiset multiset) {
      return "MULTISET<" + print(multiset.element()) + ">";
    } else if (type instanceof ColumnType.Map map) {
      return "MAP<" + print(map.key()) + ", " + print(map.value()) + ">";
    }
    return ((ColumnType.Row) type)
        .columns().stream()
            .map(column -> "`" + column.name() + "` " + print(column.type()))
            .collect(Collectors.joining(", ", "ROW<", ">"));
  }

  private static String bare(Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DATE, VARIANT ->
          type.kind().name();
      case VARCHAR -> type.precision() == ColumnType.MAX_LENGTH ? "STRING" : sized(type);
      case VARBINARY -> type.precision() == ColumnType.MAX_LENGTH ? "BYTES" : sized(type);
      case CHAR, BINARY, TIME, TIMESTAMP -> sized(type);
      case TIMESTAMP_LTZ -> "TIMESTAMP(" + type.precision() + ") WITH LOCAL TIME ZONE";
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
    };
  }

  private static String sized(Scalar type) {
    return type.kind() + "(" + type.precision() + ")";
  }

  /** The words, numbers and signs of one text, read from left to right. */
  private static final class Words {

    private static final Pattern TOKEN = Pattern.compile("\\s*([A-Za-z_]+|[0-9]+|[(),])");

    private final String text;
    private final List<String> tokens = new ArrayList<>();
    private int next;

    Words(String text) {
      this.text = text;
      Matcher token = TOKEN.matcher(text);
      int end = 0;
      while (token.find() && token.start() == end) {
        tokens.add(token.group(1).toUpperCase(Locale.ROOT));
        end = token.end();
      }
      if (!text.substring(end).isBlank()) {
        throw wrong("'" + text.substring(end).strip() + "' is not understood");
      }
    }

    Scalar type() {
      Scalar type = bareType();
      if (take("NOT")) {
        expect("NULL");
        type = type.withNullable(false);
      } else {
        take("NULL");
      }
      if (next < tokens.size()) {
        throw wrong("'" + tokens.get(next) + "' is one word too many");
      }
      return type;
    }

    private Scalar bareType() {
      String word = word();
      switch (word) {
        case "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DATE", "VARIANT":
          return new Scalar(Kind.valueOf(word));
        case "INTEGER":
          return new Scalar(Kind.INT);
        case "DOUBLE":
          take("PRECISION");
          return new Scalar(Kind.DOUBLE);
        case "STRING":
          return new Scalar(Kind.VARCHAR, ColumnType.MAX_LENGTH, 0, true);
        case "BYTES":
          return new Scalar(Kind.VARBINARY, ColumnType.MAX_LENGTH, 0, true);
        case "CHAR", "VARCHAR", "BINARY", "VARBINARY":
          return new Scalar(
              Kind.valueOf(word), inBrackets("length", 1, 1, ColumnType.MAX_LENGTH), 0, true);
        case "DECIMAL", "NUMERIC", "DEC":
          return decimal();
        case "TIME":
          int precision = inBrackets("precision", 0, 0, MAX_PRECISION);
          withoutTimeZone();
          return new Scalar(Kind.TIME, precision, 0, true);
        case "TIMESTAMP":
          return timestamp();
        case "TIMESTAMP_LTZ":
          return new Scalar(
              Kind.TIMESTAMP_LTZ, inBrackets("precision", 6, 0, MAX_PRECISION), 0, true);
        default:
          throw wrong("'" + word + "' is no type that this version knows");
      }
    }

    private Scalar decimal() {
      int precision = 10;
      int scale = 0;
      if (take("(")) {
        precision = number("precision", 1, MAX_DECIMAL_PRECISION);
        if (take(",")) {
          scale = number("scale", 0, precision);
        }
        expect(")");
      }
      return new Scalar(Kind.DECIMAL, precision, scale, true);
    }

    private Scalar timestamp() {
      int precision = inBrackets("precision", 6, 0, MAX_PRECISION);
      if (take("WITH")) {
        expect("LOCAL");
        expect("TIME");
        expect("ZONE");
        return new Scalar(Kind.TIMESTAMP_LTZ, precision, 0, true);
      }
      withoutTimeZone();
      return new Scalar(Kind.TIMESTAMP, precision, 0, true);
    }

    private void withoutTimeZone() {
      if (take("WITHOUT")) {
        expect("TIME");
        expect("ZONE");
      }
    }

    private int inBrackets(String what, int otherwise, int from, int to) {
      if (!take("(")) {
        return otherwise;
      }
      int number = number(what, from, to);
      expect(")");
      return number;
    }

    private int number(String what, int from, int to) {
      String token = word();
      long number = from - 1L;
      if (token.length() <= 10 && token.chars().allMatch(Character::isDigit)) {
        number = Long.parseLong(token);
      }
      if (number < from || number > to) {
        throw wrong(what + " should be " + from + " to " + to + " but is '" + token + "'");
      }
      return (int) number;
    }

    private String word() {
      if (next == tokens.size()) {
        throw wrong("it ends too early");
      }
      return tokens.get(next++);
    }

    private boolean take(String token) {
      if (next < tokens.size() && tokens.get(next).equals(token)) {
        next++;
        return true;
      }
      return false;
    }

    private void expect(String token) {
      if (!take(token)) {
        String found = next < tokens.size() ? "'" + tokens.get(next) + "'" : "the end";
        throw wrong("'" + token + "' should come where " + found + " is");
      }
    }

    private IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException("type text '" + text + "' cannot be read: " + what);
    }
  }
}
