package io.obelus.spark.rowlevel;

import java.util.Locale;
import java.util.Set;

/**
 * Columns that Spark puts beside those of a table while it plans a DELETE, UPDATE or MERGE, and
 * finds again by their names. A column of the table with such a name would be taken for Spark's:
 * its values would be lost without a word.
 */
public final class OperationColumns {

  private static final Set<String> NAMES =
      Set.of("__row_operation", "__row_id", "__row_from_source", "__row_from_target");

  private static final String OLD_KEY_PREFIX = "__original_row_id_";

  private OperationColumns() {}

  /** Whether one of them has the name, in any case. */
  public static boolean have(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return NAMES.contains(lower) || lower.startsWith(OLD_KEY_PREFIX);
  }
}
