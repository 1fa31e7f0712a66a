package io.obelus.core.file.data;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * How much is kept of a column's values: option {@code metadata.stats-mode}.
 *
 * @param kind what is kept
 * @param length characters kept of a text; unlimited if below 0
 */
record StatsMode(Kind kind, int length) {

  enum Kind {
    NONE,
    COUNTS,
    BOUNDS
  }

  static final StatsMode NONE = new StatsMode(Kind.NONE, 0);
  static final StatsMode COUNTS = new StatsMode(Kind.COUNTS, 0);

  private static final Pattern TRUNCATE = Pattern.compile("truncate\\((\\d{1,9})\\)");

  /** Reads an option; {@code column} is for the message. */
  static StatsMode parse(String column, String text) {
    String mode = text.trim().toLowerCase(Locale.ROOT);
    Matcher truncate = TRUNCATE.matcher(mode);
    if (mode.equals("none")) {
      return NONE;
    } else if (mode.equals("counts")) {
      return COUNTS;
    } else if (mode.equals("full")) {
      return new StatsMode(Kind.BOUNDS, -1);
    } else if (truncate.matches() && Integer.parseInt(truncate.group(1)) > 0) {
      return new StatsMode(Kind.BOUNDS, Integer.parseInt(truncate.group(1)));
    }
    throw new IllegalArgumentException(
        "metadata.stats-mode of column '"
            + column
            + "' is '"
            + text
            + "'; use none, counts, full or truncate(n) with n above 0");
  }

  /** A text not above {@code smallest}; null if it cannot be told. */
  UTF8String min(UTF8String smallest) {
    if (length < 0 || smallest.numChars() <= length) {
      return smallest;
    }
    UTF8String cut = smallest.substring(0, length).copy();
    return codePoints(cut) == null ? null : cut;
  }

  /** A text not below {@code largest} and all that begin as it does; null if there is none. */
  UTF8String max(UTF8String largest) {
    if (length < 0 || largest.numChars() <= length) {
      return largest;
    }
    int[] cut = codePoints(largest.substring(0, length));
    if (cut == null) {
      return null;
    }
    for (int i = cut.length - 1; i >= 0; i--) {
      int next = cut[i] + 1;
      if (next == Character.MIN_SURROGATE) {
        next = Character.MAX_SURROGATE + 1; // surrogates are no characters and have no UTF-8 form
      }
      if (next <= Character.MAX_CODE_POINT) {
        cut[i] = next;
        int[] above = Arrays.copyOf(cut, i + 1);
        return UTF8String.fromString(new String(above, 0, above.length));
      }
    }
    return null;
  }

  /** Null if the bytes are not UTF-8: cutting and counting up would not keep their order. */
  private static int[] codePoints(UTF8String text) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(text.getBytes()))
          .codePoints()
          .toArray();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
