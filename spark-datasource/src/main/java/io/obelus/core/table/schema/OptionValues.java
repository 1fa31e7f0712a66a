package io.obelus.core.table.schema;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of a table's options, read as what they should be. IllegalArgumentException names
 * option, value, and what would do.
 */
record OptionValues(Map<String, String> options) {

  private static final Pattern MEASURE = Pattern.compile("\\s*(\\d{1,18})\\s*([a-z]*)\\s*");

  static IllegalArgumentException bad(String name, String value, String allowed) {
    return new IllegalArgumentException(
        "option '%s' is '%s' but should be %s".formatted(name, value, allowed));
  }

  boolean has(String name) {
    return options.containsKey(name);
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(options.get(name));
  }

  String text(String name, String otherwise) {
    return options.getOrDefault(name, otherwise);
  }

  /** The parts of a comma list without the blanks around them; empty if the option is not there. */
  List<String> list(String name) {
    String value = options.get(name);
    if (value == null || value.isBlank()) {
      return List.of();
    }
    List<String> parts = Arrays.stream(value.split(",", -1)).map(String::strip).toList();
    if (parts.contains("")) {
      throw bad(name, value, "a list of names with commas between");
    }
    return parts;
  }

  boolean flag(String name, boolean otherwise) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw bad(name, value, "true or false");
    };
  }

  int number(String name, int otherwise, int least) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value.strip());
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw bad(name, value, "a whole number of at least " + least);
    }
    throw bad(name, value, "a whole number of at least " + least);
  }

  /** A part of a whole, 0 to 1. */
  double share(String name, double otherwise) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      double share = Double.parseDouble(value.strip());
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      throw bad(name, value, "a number from 0 to 1");
    }
    throw bad(name, value, "a number from 0 to 1");
  }

  /** One of some words, in any case; answers it in lower case. */
  String word(String name, String otherwise, String... allowed) {
    String value = options.getOrDefault(name, otherwise).strip().toLowerCase(Locale.ROOT);
    if (!List.of(allowed).contains(value)) {
      throw bad(name, options.get(name), "one of " + String.join(", ", allowed));
    }
    return value;
  }

  /** Bytes: {@code 128 mb}, {@code 64kb}, {@code 1g}, {@code 4096}; a kilobyte is 1024 bytes. */
  long bytes(String name, long otherwise) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    Matcher measure = MEASURE.matcher(value.toLowerCase(Locale.ROOT));
    int shift = measure.matches() ? shift(measure.group(2)) : -1;
    if (shift >= 0) {
      long count = Long.parseLong(measure.group(1));
      if (count <= Long.MAX_VALUE >> shift) {
        return count << shift;
      }
    }
    throw bad(name, value, "a size such as 128 mb, 64kb or 1g");
  }

  private static int shift(String unit) {
    return switch (unit) {
      case "", "b", "bytes" -> 0;
      case "k", "kb", "kibibytes" -> 10;
      case "m", "mb", "mebibytes" -> 20;
      case "g", "gb", "gibibytes" -> 30;
      case "t", "tb", "tebibytes" -> 40;
      default -> -1;
    };
  }

  /** A time: {@code 10 ms}, {@code 1h}, {@code 30 s}; without a unit milliseconds. */
  Duration duration(String name, Duration otherwise) {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    Matcher measure = MEASURE.matcher(value.toLowerCase(Locale.ROOT));
    Duration unit = measure.matches() ? unit(measure.group(2)) : null;
    if (unit == null) {
      throw bad(name, value, "a time such as 10 ms, 30 s, 5 min, 1 h or 7 d");
    }
    try {
      return unit.multipliedBy(Long.parseLong(measure.group(1)));
    } catch (ArithmeticException e) {
      throw bad(name, value, "a time of less than 292 million years");
    }
  }

  private static Duration unit(String unit) {
    return switch (unit) {
      case "", "ms", "milli", "millis", "millisecond", "milliseconds" -> Duration.ofMillis(1);
      case "ns", "nano", "nanos", "nanosecond", "nanoseconds" -> Duration.ofNanos(1);
      case "us", "µs", "micro", "micros", "microsecond", "microseconds" -> Duration.ofNanos(1000);
      case "s", "sec", "secs", "second", "seconds" -> Duration.ofSeconds(1);
      case "m", "min", "minute", "minutes" -> Duration.ofMinutes(1);
      case "h", "hour", "hours" -> Duration.ofHours(1);
      case "d", "day", "days" -> Duration.ofDays(1);
      default -> null;
    };
  }
}
