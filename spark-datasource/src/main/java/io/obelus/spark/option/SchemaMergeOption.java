package io.obelus.spark.option;

import io.obelus.core.table.schema.SchemaMerge;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Options {@code write.merge-schema} and {@code write.merge-schema.explicit-cast} of a writer: the
 * table gets the columns that the rows have and it has not. Spark has to know before it compares
 * the columns, so that they count where the table is loaded by {@code format("obelus")}; and rows
 * whose columns are matched by place would name columns by chance, so that a session cannot set
 * them.
 *
 * @param explicitCast see {@link SchemaMerge}
 */
public record SchemaMergeOption(boolean explicitCast) {

  /** Whether columns are merged; {@code false} if it is not given. */
  public static final String NAME = "write.merge-schema";

  /** Both names, in lower case. */
  public static final Set<String> NAMES = Set.of(NAME, SchemaMerge.EXPLICIT_CAST);

  /**
   * What the options say; empty if columns are not merged.
   *
   * @param options of a writer; names in any case
   * @throws IllegalArgumentException if a value is neither true nor false, or the second is true
   *     without the first
   */
  public static Optional<SchemaMergeOption> of(Map<String, String> options) {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(options);
    boolean explicitCast = flag(anyCase, SchemaMerge.EXPLICIT_CAST);
    if (flag(anyCase, NAME)) {
      return Optional.of(new SchemaMergeOption(explicitCast));
    } else if (explicitCast) {
      throw new IllegalArgumentException(
          "option '%s' does nothing without option '%s' = 'true'"
              .formatted(SchemaMerge.EXPLICIT_CAST, NAME));
    }
    return Optional.empty();
  }

  private static boolean flag(Map<String, String> options, String name) {
    String value = options.getOrDefault(name, "false").strip();
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw StatementOptions.bad(name, value, "true or false");
    }
    return value.equalsIgnoreCase("true");
  }

  /** The error for a statement in which the option comes too late. */
  public static IllegalArgumentException tooLate(String table) {
    return new IllegalArgumentException(
        ("option '%s' comes too late for %s: columns are merged by"
                + " df.write.format(\"obelus\").option(\"%s\", \"true\").mode(…).save(…), which takes"
                + " a path or the name of the table")
            .formatted(NAME, table, NAME));
  }
}
