package io.obelus.core.table.schema;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.StructType;

/**
 * What somebody asks for who makes a table; {@link #schema} is what they get (spec chapter 02,
 * "Rules on create").
 *
 * @param columns with their field ids, counted from 0
 * @param partitionColumns in the order of their directories; may also be given as option {@code
 *     partition}
 * @param options of the table; {@code primary-key} and {@code partition} are comma lists
 * @param comment null if none
 */
public record NewTable(
    RowType columns, List<String> partitionColumns, Map<String, String> options, String comment) {

  private static final String PRIMARY_KEY = "primary-key";
  private static final String PARTITION = "partition";

  /** Buckets of a keyed table that says nothing about them. */
  private static final String BUCKETS = "4";

  private static final Set<String> RESERVED =
      Set.of("_SEQUENCE_NUMBER", "_VALUE_KIND", "_LEVEL", "rowkind", "_ROW_ID");

  private static final String RESERVED_PREFIX = "_KEY_";

  public NewTable {
    partitionColumns = List.copyOf(partitionColumns);
    options = new LinkedHashMap<>(options);
  }

  /** A table of Spark's columns, which get field ids. */
  public static NewTable of(
      StructType columns,
      List<String> partitionColumns,
      Map<String, String> options,
      String comment) {
    Set<String> names = new HashSet<>();
    for (String name : columns.fieldNames()) {
      refuse(!names.add(name), "column '%s' is there twice", name);
    }
    return new NewTable(SparkTypes.fromSpark(columns, 0), partitionColumns, options, comment);
  }

  /**
   * The first schema of the table, id 0; IllegalArgumentException names the column or option that
   * cannot be.
   */
  public TableSchema schema(long timeMillis) {
    OptionNames.check(options.keySet());
    OptionValues given = new OptionValues(options);
    List<String> partition = partition(given);
    List<String> key = given.list(PRIMARY_KEY);
    checkColumns(columns.columns(), "");
    checkKey("partition", partition);
    checkKey(PRIMARY_KEY, key);
    refuse(columns.size() == 0, "a table needs a column");
    refuse(
        !key.isEmpty() && partition.containsAll(key),
        "option 'primary-key' is %s, all of them partition columns: at most one "
            + "row of a partition could be there; add a column to the key",
        key);
    TableSchema schema =
        new TableSchema(
            SchemaFormat.WRITTEN,
            0,
            notNull(key),
            highestId(columns.columns()),
            partition,
            key,
            stored(given, !key.isEmpty()),
            comment,
            timeMillis);
    new TableRules(schema).check();
    return schema;
  }

  private static void refuse(boolean wrong, String message, Object... arguments) {
    if (wrong) {
      throw new IllegalArgumentException(message.formatted(arguments));
    }
  }

  private List<String> partition(OptionValues given) {
    List<String> option = given.list(PARTITION);
    refuse(
        !option.isEmpty() && !partitionColumns.isEmpty() && !option.equals(partitionColumns),
        "option 'partition' is %s but the table is partitioned by %s; say it once",
        option,
        partitionColumns);
    return option.isEmpty() ? partitionColumns : option;
  }

  private static Map<String, String> stored(OptionValues given, boolean keyed) {
    Map<String, String> stored = new LinkedHashMap<>(given.options());
    stored.remove(PRIMARY_KEY);
    stored.remove(PARTITION);
    if (keyed) {
      stored.putIfAbsent(TableOptions.BUCKET, BUCKETS);
      if (!given.has(TableOptions.DELETION_VECTORS) && !given.has(TableOptions.DELETE_MAP)) {
        stored.put(TableOptions.DELETION_VECTORS, "true");
      }
    }
    return stored;
  }

  /** Names of all columns, nested ones too. */
  static void checkColumns(List<Column> columns, String parent) {
    Set<String> names = new HashSet<>();
    for (Column column : columns) {
      String name = parent + column.name();
      refuse(column.name().isBlank(), "a column of '%s' has no name", parent);
      refuse(!names.add(column.name()), "column '%s' is there twice", name);
      refuse(
          parent.isEmpty()
              && (RESERVED.contains(column.name()) || column.name().startsWith(RESERVED_PREFIX)),
          "column '%s' has a name that data files need for themselves (%s…, %s); choose another",
          name,
          RESERVED_PREFIX,
          String.join(", ", RESERVED.stream().sorted().toList()));
      for (List<Column> inner : rowsIn(column.type())) {
        refuse(inner.isEmpty(), "column '%s' is a struct without fields", name);
        checkColumns(inner, name + ".");
      }
    }
  }

  private static int highestId(List<Column> columns) {
    int highest = -1;
    for (Column column : columns) {
      highest = Math.max(highest, column.id());
      for (List<Column> inner : rowsIn(column.type())) {
        highest = Math.max(highest, highestId(inner));
      }
    }
    return highest;
  }

  /** The nearest nested rows in a type, each as its columns. */
  private static List<List<Column>> rowsIn(ColumnType type) {
    List<List<Column>> rows = new ArrayList<>();
    if (type instanceof ColumnType.Row row) {
      rows.add(row.columns());
    } else if (type instanceof ColumnType.Array array) {
      rows.addAll(rowsIn(array.element()));
    } else if (type instanceof ColumnType.Multiset multiset) {
      rows.addAll(rowsIn(multiset.element()));
    } else if (type instanceof ColumnType.Map map) {
      rows.addAll(rowsIn(map.key()));
      rows.addAll(rowsIn(map.value()));
    }
    return rows;
  }

  private void checkKey(String what, List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      int index = columns.indexOf(name);
      refuse(
          index < 0,
          "%s column '%s' is not there; the columns are %s",
          what,
          name,
          columns.names());
      refuse(!seen.add(name), "%s column '%s' is there twice", what, name);
      ColumnType type = columns.column(index).type();
      refuse(
          !(type instanceof Scalar scalar) || scalar.kind() == Kind.VARIANT,
          "%s column '%s' has type %s, which has no order; use a plain type",
          what,
          name,
          ColumnTypes.print(type));
    }
  }

  private RowType notNull(List<String> key) {
    return new RowType(
        columns.columns().stream()
            .map(c -> key.contains(c.name()) ? c.typed(c.type().withNullable(false)) : c)
            .map(DefaultText::checked)
            .toList());
  }
}
