package io.obelus.core.file.index;

import io.obelus.core.file.index.kind.IndexKind;
import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which indexes new data files of a table get (spec chapter 20, options). Immutable.
 *
 * @param columns one entry per column and kind
 * @param embeddedLimit most bytes of a container that is kept in the manifest
 * @param buildMemory most bytes that the indexes of one data file may take while they are built;
 *     one that would take more is given up for that file
 */
public record FileIndexSettings(List<IndexedColumn> columns, long embeddedLimit, long buildMemory)
    implements Serializable {

  /** No index. */
  public static final FileIndexSettings NONE = new FileIndexSettings(List.of(), 0, 0);

  private static final String PREFIX = "file-index.";
  private static final String COLUMNS = ".columns";

  public FileIndexSettings {
    columns = List.copyOf(columns);
  }

  /**
   * Reads {@code file-index.<kind>.columns} and {@code file-index.<kind>.<column>.<option>}. As in
   * other engines, the name of a column with an option must not have a dot.
   *
   * @param row columns of the table
   * @param options all options of the table
   * @throws IllegalArgumentException if a kind, column or option does not exist, or a kind cannot
   *     index the type of a column; the message names it, and what would do
   */
  public static FileIndexSettings of(
      RowType row, Map<String, String> options, long embeddedLimit, long buildMemory) {
    List<IndexedColumn> columns = new ArrayList<>();
    options.forEach(
        (name, value) -> {
          if (isOfKind(name)) {
            IndexKind kind =
                kind(name, name.substring(PREFIX.length(), name.length() - COLUMNS.length()));
            for (String column : list(name, value)) {
              columns.add(column(row, name, kind, column, options));
            }
          }
        });
    checkOptions(columns, options);
    return new FileIndexSettings(columns, embeddedLimit, buildMemory);
  }

  /** The options that ask for indexes, one of each kind. */
  public static List<String> columnsOptions() {
    return IndexKinds.names().stream().map(kind -> PREFIX + kind + COLUMNS).toList();
  }

  /** Whether an option asks for indexes of some kind, {@code file-index.<kind>.columns}. */
  public static boolean isOfKind(String option) {
    return option.startsWith(PREFIX) && option.endsWith(COLUMNS);
  }

  /** Whether an option is about one index, {@code file-index.<kind>.<column>.<option>}. */
  public static boolean isOfOneIndex(String option) {
    return option.startsWith(PREFIX) && option.split("\\.", -1).length == 4;
  }

  /** Whether new files get any index. */
  public boolean isEmpty() {
    return columns.isEmpty();
  }

  /**
   * What it takes to index a data file that is there.
   *
   * @param columns to read of the file
   * @param indexes to make of rows with these columns
   */
  public record OfFile(RowType columns, FileIndexSettings indexes) {}

  /**
   * These indexes for a data file of any schema: columns are matched by field id and go by the name
   * and type that they have in the file. What the file lacks, or holds in a type of which there is
   * no such index, is left out.
   *
   * @param row columns of the table that these settings are for
   * @param fileColumns columns of the schema that the file was written with
   */
  public OfFile ofFile(RowType row, RowType fileColumns) {
    List<Column> read = new ArrayList<>();
    List<IndexedColumn> indexes = new ArrayList<>();
    for (IndexedColumn index : columns) {
      int inFile = fileColumns.indexOfId(row.column(index.ordinal()).id());
      if (inFile < 0) {
        continue;
      }
      Column column = fileColumns.column(inFile);
      ColumnType type =
          index.key() == null ? column.type() : ((ColumnType.Map) column.type()).value();
      if (!IndexKinds.find(index.kind()).orElseThrow().supports(type)) {
        continue;
      }
      if (!read.contains(column)) {
        read.add(column);
      }
      String name = index.key() == null ? column.name() : column.name() + "[" + index.key() + "]";
      indexes.add(
          new IndexedColumn(
              name, read.indexOf(column), index.key(), index.kind(), type, index.options()));
    }
    return new OfFile(
        new RowType(read), new FileIndexSettings(indexes, embeddedLimit, buildMemory));
  }

  private static IndexKind kind(String option, String name) {
    return IndexKinds.find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "option '%s' asks for an index of kind '%s', which is not known; the kinds are %s"
                        .formatted(option, name, IndexKinds.names())));
  }

  private static List<String> list(String option, String value) {
    List<String> names = new ArrayList<>();
    for (String part : value.split(",", -1)) {
      String name = part.strip();
      if (name.isEmpty()) {
        throw new IllegalArgumentException(
            "option '%s' is '%s' but should be a list of columns with commas between"
                .formatted(option, value));
      }
      if (!names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private static IndexedColumn column(
      RowType row, String option, IndexKind kind, String name, Map<String, String> options) {
    int ordinal = row.indexOf(name);
    String key = null;
    ColumnType type = ordinal < 0 ? null : row.column(ordinal).type();
    String column = name;
    if (ordinal < 0 && name.endsWith("]") && name.indexOf('[') > 0) {
      column = name.substring(0, name.indexOf('['));
      key = name.substring(name.indexOf('[') + 1, name.length() - 1);
      ordinal = row.indexOf(column);
      type = ordinal < 0 ? null : valueType(option, name, row.column(ordinal).type());
    }
    if (ordinal < 0) {
      throw new IllegalArgumentException(
          "option '%s' names column '%s', which is not there; the columns are %s"
              .formatted(option, column, row.names()));
    }
    if (!kind.supports(type)) {
      throw new IllegalArgumentException(
          "option '%s' names column '%s' of type %s, which an index of kind '%s' cannot hold; the kinds that can are %s"
              .formatted(option, name, ColumnTypes.print(type), kind.name(), kindsFor(type)));
    }
    String prefix = PREFIX + kind.name() + "." + name + ".";
    Map<String, String> own = new HashMap<>();
    if (key != null) {
      own.putAll(under(PREFIX + kind.name() + "." + column + ".", options));
    }
    own.putAll(under(prefix, options));
    IndexOptions indexOptions = new IndexOptions(prefix, own);
    kind.writer(type, indexOptions); // refuses wrong values
    return new IndexedColumn(name, ordinal, key, kind.name(), type, indexOptions);
  }

  private static List<String> kindsFor(ColumnType type) {
    return IndexKinds.all().stream()
        .filter(kind -> kind.supports(type))
        .map(IndexKind::name)
        .toList();
  }

  private static ColumnType valueType(String option, String name, ColumnType type) {
    if (type instanceof ColumnType.Map map
        && map.key() instanceof Scalar key
        && (key.kind() == Kind.CHAR || key.kind() == Kind.VARCHAR)) {
      return map.value();
    }
    throw new IllegalArgumentException(
        "option '%s' names '%s', but single keys can only be indexed of a map with keys of text, not of type %s"
            .formatted(option, name, ColumnTypes.print(type)));
  }

  /** The options whose names begin so and have no further dot, by what follows. */
  private static Map<String, String> under(String prefix, Map<String, String> options) {
    Map<String, String> found = new HashMap<>();
    options.forEach(
        (name, value) -> {
          if (name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0) {
            found.put(name.substring(prefix.length()), value);
          }
        });
    return found;
  }

  /** Refuses an option of a kind that no index takes up. */
  private static void checkOptions(List<IndexedColumn> columns, Map<String, String> options) {
    for (String option : options.keySet()) {
      if (!isOfOneIndex(option)) {
        continue;
      }
      String[] parts = option.split("\\.", -1);
      IndexKind kind = kind(option, parts[1]);
      if (columns.stream().noneMatch(c -> c.kind().equals(parts[1]) && isOf(c, parts[2]))) {
        throw new IllegalArgumentException(
            "option '%s' is for an index that is not asked for; add the column to option '%s%s%s'"
                .formatted(option, PREFIX, parts[1], COLUMNS));
      }
      if (!kind.options().contains(parts[3])) {
        throw new IllegalArgumentException(
            "option '%s' is not known; an index of kind '%s' has the options %s"
                .formatted(option, parts[1], kind.options()));
      }
    }
  }

  /** Whether options of {@code name} are options of the index: a map's are those of its keys. */
  private static boolean isOf(IndexedColumn column, String name) {
    return column.name().equals(name)
        || (column.key() != null && column.name().startsWith(name + "["));
  }
}
