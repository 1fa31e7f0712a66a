package io.obelus.core.table.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Where options name columns:
 *
 * <pre>
 *   sequence.field = a,b                      and others whose value is a list of columns
 *   file-index.bitmap.columns = a,m[key]      m[key]: one key of the map m
 *   file-index.bitmap.a.version = 2           also file-index.bitmap.m[key].version
 *   fields.a.stats-mode = none
 *   parquet.bloom.filter.enabled#a = true     also …#a.b, a field of a struct
 * </pre>
 */
final class ColumnsInOptions {

  private static final List<String> LISTS =
      List.of(
          TableOptions.BUCKET_KEY,
          TableOptions.SEQUENCE_FIELD,
          TableOptions.ROW_KIND_FIELD,
          "record-level.time-field",
          "clustering.columns",
          "changelog-producer.row-deduplicate-ignore-fields");

  private static final String INDEX = "file-index.";
  private static final String INDEX_COLUMNS = ".columns";
  private static final String FIELD = "fields.";
  private static final String PARQUET = "parquet.";

  private ColumnsInOptions() {}

  /** Names of the options that name a column, in order. */
  static List<String> naming(String column, Map<String, String> options) {
    String other = column + "'"; // a rename to anything else shows where the column is
    TreeSet<String> naming = new TreeSet<>();
    options.forEach(
        (name, value) -> {
          boolean inName = !renamedInName(name, column, other).equals(name);
          if (inName || !renamedInValue(name, value, column, other).equals(value)) {
            naming.add(name);
          }
        });
    return new ArrayList<>(naming);
  }

  /** The same options after a column has got another name. */
  static Map<String, String> renamed(Map<String, String> options, String from, String to) {
    Map<String, String> renamed = new LinkedHashMap<>();
    options.forEach(
        (name, value) ->
            renamed.put(renamedInName(name, from, to), renamedInValue(name, value, from, to)));
    return renamed;
  }

  private static String renamedInValue(String option, String value, String from, String to) {
    boolean indexed = isIndexColumns(option);
    if (!indexed && !LISTS.contains(option)) {
      return value;
    }
    boolean[] found = new boolean[1];
    String renamed =
        Arrays.stream(value.split(",", -1))
            .map(String::strip)
            .map(
                part -> {
                  String other = indexed ? indexed(part, from, to) : part.equals(from) ? to : part;
                  found[0] |= !other.equals(part);
                  return other;
                })
            .collect(Collectors.joining(","));
    return found[0] ? renamed : value;
  }

  private static boolean isIndexColumns(String option) {
    return option.startsWith(INDEX) && option.endsWith(INDEX_COLUMNS);
  }

  /** A column of an index, perhaps with a key of a map. */
  private static String indexed(String part, String from, String to) {
    if (part.equals(from)) {
      return to;
    }
    boolean key = part.startsWith(from + "[") && part.endsWith("]");
    return key ? to + part.substring(from.length()) : part;
  }

  private static String renamedInName(String option, String from, String to) {
    int last = option.lastIndexOf('.');
    if (option.startsWith(FIELD) && last > FIELD.length()) {
      String columns = option.substring(FIELD.length(), last);
      return columns.equals(from) ? FIELD + to + option.substring(last) : option;
    } else if (option.startsWith(INDEX) && !isIndexColumns(option)) {
      String[] parts = option.split("\\.", -1);
      if (parts.length == 4) {
        parts[2] = indexed(parts[2], from, to);
        return String.join(".", parts);
      }
    } else if (option.startsWith(PARQUET)) {
      int sign = option.indexOf('#');
      String column = option.substring(sign + 1);
      if (sign > 0 && (column.equals(from) || column.startsWith(from + "."))) {
        return option.substring(0, sign + 1) + to + column.substring(from.length());
      }
    }
    return option;
  }
}
