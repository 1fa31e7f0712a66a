package io.obelus.testing;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Draws the table options of file indexes, of all kinds, on columns that they can hold. */
public final class RandomIndexes {

  /** All kinds of index. */
  public static final List<String> KINDS = List.of("bitmap", "bsi", "bloom-filter", "range-bitmap");

  private static final int MICROS = 6; // digits
  private static final int MAX_LONG_DECIMAL = 18; // digits

  private RandomIndexes() {}

  /**
   * Options that ask for some indexes, with small blocks and chunks, and say where they are kept.
   *
   * @param share of all indexes possible that are asked for
   */
  public static Map<String, String> options(Random random, RowType columns, double share) {
    return options(random, columns, share, false);
  }

  /**
   * As the other form, for a table into which Paimon writes any values: its bsi fails on numbers
   * without an absolute value of 64 bits, its bitmap on values longer than a block.
   */
  public static Map<String, String> forAnyValues(Random random, RowType columns, double share) {
    return options(random, columns, share, true);
  }

  private static Map<String, String> options(
      Random random, RowType columns, double share, boolean anyValues) {
    Map<String, String> options = new HashMap<>();
    for (String kind : KINDS) {
      List<String> names = new ArrayList<>();
      for (Column column : columns.columns()) {
        boolean possible =
            supports(kind, column.type())
                && !(anyValues && kind.equals("bsi") && mayOverflow((Scalar) column.type()));
        if (possible && random.nextDouble() < share) {
          names.add(column.name());
          String prefix = "file-index." + kind + "." + column.name() + ".";
          addOptions(random, options, prefix, kind, anyValues);
        }
      }
      if (!names.isEmpty()) {
        options.put("file-index." + kind + ".columns", String.join(", ", names));
      }
    }
    String limit = any(random, "0 b", "500 b", "500 b", "10 mb");
    options.put("file-index.in-manifest-threshold", limit);
    return options;
  }

  private static boolean mayOverflow(Scalar type) {
    return type.kind() == Kind.BIGINT
        || (type.kind() == Kind.DECIMAL && type.precision() > MAX_LONG_DECIMAL);
  }

  private static void addOptions(
      Random random, Map<String, String> options, String prefix, String kind, boolean anyValues) {
    if (random.nextBoolean()) {
      return;
    }
    switch (kind) {
      case "bitmap" -> {
        options.put(prefix + "version", any(random, "1", "2"));
        options.put(
            prefix + "index-block-size", anyValues ? "1 kb" : any(random, "64 b", "100", "16 kb"));
      }
      case "bloom-filter" -> {
        options.put(prefix + "items", any(random, "10", "300", "5000"));
        options.put(prefix + "fpp", any(random, "0.02", "0.3"));
      }
      case "range-bitmap" -> options.put(prefix + "chunk-size", any(random, "0 b", "20 b", "1 kb"));
      default -> {
        // bsi has none.
      }
    }
  }

  private static String any(Random random, String... words) {
    return words[random.nextInt(words.length)];
  }

  /** Whether an index of a kind can hold a type (spec chapters 21 to 24). */
  public static boolean supports(String kind, ColumnType type) {
    if (!(type instanceof Scalar scalar)) {
      return false;
    }
    Kind of = scalar.kind();
    boolean bytes = of == Kind.BINARY || of == Kind.VARBINARY;
    boolean text = of == Kind.CHAR || of == Kind.VARCHAR;
    boolean real = of == Kind.FLOAT || of == Kind.DOUBLE;
    boolean time = of == Kind.TIMESTAMP || of == Kind.TIMESTAMP_LTZ;
    return switch (kind) {
      case "bitmap" -> !bytes && of != Kind.DECIMAL;
      case "bsi" -> !bytes && !text && !real && of != Kind.BOOLEAN;
      case "bloom-filter" -> of != Kind.BOOLEAN && of != Kind.DECIMAL;
      case "range-bitmap" ->
          !bytes
              && (of != Kind.DECIMAL || scalar.precision() <= MAX_LONG_DECIMAL)
              && (!time || scalar.precision() <= MICROS);
      default -> throw new IllegalArgumentException(kind);
    };
  }
}
