package io.obelus.core.table.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of a table to set and to remove; the rest stays.
 *
 * @param set name and new value
 * @param removed names; one that is not set is no error
 */
public record OptionChange(Map<String, String> set, Set<String> removed) implements SchemaChange {

  /** What the files of a table were laid out by: another value would misread those that exist. */
  private static final Set<String> IMMUTABLE =
      Set.of(
          "bucket-key",
          "bucket-function.type",
          "merge-engine",
          "ignore-delete",
          "deduplicate.ignore-delete",
          "partial-update.ignore-delete",
          "first-row.ignore-delete",
          "ignore-update-before",
          "partial-update.remove-record-on-delete",
          "partial-update.remove-record-on-sequence-group",
          "aggregation.remove-record-on-delete",
          "rowkind.field",
          "force-lookup",
          "data-file.path-directory",
          "index-file-in-data-file-dir",
          "delete-map.enabled",
          "partition.default-name",
          "partition.legacy-name");

  private static final List<String> OF_CREATE = List.of("primary-key", "partition");

  public OptionChange {
    set = new LinkedHashMap<>(set);
    removed = Set.copyOf(removed);
  }

  @Override
  public TableSchema applyTo(TableSchema schema, boolean hasSnapshot, long timeMillis) {
    OptionNames.check(set.keySet());
    Map<String, String> options = new LinkedHashMap<>(schema.options());
    options.putAll(set);
    options.keySet().removeAll(removed);
    if (options.equals(schema.options())) {
      return schema;
    }
    TableSchema next = schema.next(options, timeMillis);
    for (String name : touched()) {
      check(name, schema, next, hasSnapshot);
    }
    new TableRules(next).check();
    return next;
  }

  private Set<String> touched() {
    Set<String> names = new TreeSet<>(set.keySet());
    names.addAll(removed);
    return names;
  }

  private static void check(String name, TableSchema old, TableSchema next, boolean hasSnapshot) {
    String from = old.options().get(name);
    String to = next.options().get(name);
    if (OF_CREATE.contains(name)) {
      throw fixed(name, from, to, "it is chosen when the table is made");
    }
    boolean same = from == null ? to == null : from.equals(to);
    if (same) {
      return;
    }
    if (name.equals(TableOptions.BUCKET)) {
      checkBucket(old, next, from, to);
    }
    if (!hasSnapshot) {
      return;
    }
    if (IMMUTABLE.contains(name)) {
      throw fixed(name, from, to, "files that exist were written by it");
    }
    if (name.equals(TableOptions.DELETION_VECTORS)
        && new TableOptions(old).deletionCoding().isPresent()
        && new TableOptions(next).deletionCoding().isEmpty()) {
      throw fixed(name, from, to, "rows that were deleted so far would come back");
    }
  }

  private static void checkBucket(TableSchema old, TableSchema next, String from, String to) {
    if (new TableOptions(old).bucket() < 0 || new TableOptions(next).bucket() < 0) {
      throw fixed(
          TableOptions.BUCKET, from, to, "only one number of buckets can become another number");
    }
  }

  private static IllegalArgumentException fixed(String name, String from, String to, String why) {
    return new IllegalArgumentException(
        "option '%s' cannot be changed from %s to %s: %s; make a new table and copy the rows"
            .formatted(name, quoted(from), quoted(to), why));
  }

  private static String quoted(String value) {
    return value == null ? "its default" : "'" + value + "'";
  }
}
