package io.obelus.core.table.schema;

import io.obelus.core.file.data.Widening;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import io.obelus.core.table.schema.ColumnChange.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A schema while its columns are changed one by one. IllegalArgumentException names a column that
 * cannot be changed so, and says why. Not thread-safe.
 */
final class SchemaEditor {

  private final TableSchema old;
  private ColumnType.Row columns;
  private int highestFieldId;
  private List<String> primaryKeys;
  private Map<String, String> options;

  SchemaEditor(TableSchema old) {
    this.old = old;
    this.columns = new ColumnType.Row(old.rowType().columns(), false);
    this.highestFieldId = old.highestFieldId();
    this.primaryKeys = old.primaryKeys();
    this.options = old.options();
  }

  /** The next schema of the table. */
  TableSchema schema(long timeMillis) {
    return new TableSchema(
        SchemaFormat.WRITTEN,
        old.id() + 1,
        new RowType(columns.columns()),
        highestFieldId,
        old.partitionKeys(),
        primaryKeys,
        options,
        old.comment(),
        timeMillis);
  }

  void apply(ColumnChange change) {
    if (change instanceof ColumnChange.Add add) {
      add(add);
    } else if (change instanceof ColumnChange.Drop drop) {
      drop(drop.path());
    } else if (change instanceof ColumnChange.Rename rename) {
      rename(rename.path(), rename.name());
    } else if (change instanceof ColumnChange.Retype retype) {
      retype(retype.path(), retype.type());
    } else if (change instanceof ColumnChange.Nullability nullability) {
      changeNullability(nullability.path(), nullability.nullable());
    } else if (change instanceof ColumnChange.Comment comment) {
      editSiblings(
          comment.path(),
          (siblings, index) -> {
            Column column = siblings.get(index);
            siblings.set(index, column.commented(comment.comment()));
          });
    } else if (change instanceof ColumnChange.Default other) {
      changeDefault(other.path(), other.value());
    } else if (change instanceof ColumnChange.Move move) {
      editSiblings(
          move.path(),
          (siblings, index) -> {
            Column column = siblings.remove(index);
            siblings.add(place(siblings, move.path(), move.position()), column);
          });
    }
  }

  private static IllegalArgumentException refused(
      List<String> path, String what, Object... arguments) {
    return new IllegalArgumentException(
        "column '%s' %s".formatted(String.join(".", path), what.formatted(arguments)));
  }

  // ---- add, drop, rename

  private void add(ColumnChange.Add add) {
    if (!add.nullable()) {
      throw refused(
          add.path(),
          "cannot be added as NOT NULL: rows that are there have no value for it; leave NOT NULL"
              + " away");
    }
    StructField field = new StructField(last(add.path()), add.type(), true, Metadata.empty());
    RowType added =
        SparkTypes.fromSpark(new StructType(new StructField[] {field}), highestFieldId + 1);
    highestFieldId = added.highestId();
    Column column = added.column(0).commented(add.comment());
    columns =
        (ColumnType.Row)
            edit(
                columns,
                add.path(),
                add.path().size() - 1,
                parent -> {
                  List<Column> siblings = fields(parent, add.path());
                  if (find(siblings, column.name()) >= 0) {
                    throw refused(add.path(), "is there already");
                  }
                  siblings.add(place(siblings, add.path(), add.position()), column);
                  return new ColumnType.Row(siblings, parent.nullable());
                });
  }

  private void drop(List<String> path) {
    if (path.size() == 1) {
      refuseOfLayout(path, "dropped");
      List<String> naming = ColumnsInOptions.naming(path.get(0), options);
      if (!naming.isEmpty()) {
        throw refused(
            path,
            "cannot be dropped: option '%s' names it; change or unset the option first",
            naming.get(0));
      }
    }
    editSiblings(
        path,
        (siblings, index) -> {
          siblings.remove(index);
          if (siblings.isEmpty() && path.size() > 1) {
            throw refused(
                path,
                "cannot be dropped: it is the only field of '%s'; drop that instead",
                String.join(".", path.subList(0, path.size() - 1)));
          }
        });
  }

  private void rename(List<String> path, String name) {
    editSiblings(
        path,
        (siblings, index) -> {
          if (find(siblings, name) >= 0) {
            throw refused(path, "cannot be renamed to '%s': that is there already", name);
          }
          siblings.set(index, siblings.get(index).named(name));
        });
    if (path.size() > 1) {
      return;
    }
    String from = path.get(0);
    if (old.partitionKeys().contains(from)) {
      throw refused(
          path, "cannot be renamed: it is a partition column, and directories bear its name");
    }
    List<String> naming = ColumnsInOptions.naming(name, options);
    if (!naming.isEmpty()) {
      throw refused(
          path,
          "cannot be renamed to '%s': option '%s' names such a column already; unset it first",
          name,
          naming.get(0));
    }
    primaryKeys = primaryKeys.stream().map(key -> key.equals(from) ? name : key).toList();
    options = ColumnsInOptions.renamed(options, from, name);
  }

  /** Where a column shall go that is not among its siblings now. */
  private static int place(List<Column> siblings, List<String> path, Position position) {
    if (position.after() == null) {
      return position.front() ? 0 : siblings.size();
    }
    int after = find(siblings, position.after());
    if (after < 0) {
      throw refused(
          path,
          "cannot stand after '%s', which is not there; there are %s",
          position.after(),
          names(siblings));
    }
    return after + 1;
  }

  // ---- types

  private void retype(List<String> path, DataType type) {
    StructField field = new StructField("t", type, true, Metadata.empty());
    ColumnType wanted =
        SparkTypes.fromSpark(new StructType(new StructField[] {field}), 0).column(0).type();
    columns =
        (ColumnType.Row)
            edit(
                columns,
                path,
                path.size(),
                from -> {
                  ColumnType to = wanted.withNullable(from.nullable());
                  if (!from.equals(to)) {
                    checkWider(path, from, to);
                  }
                  return to;
                });
  }

  private void checkWider(List<String> path, ColumnType from, ColumnType to) {
    if (path.size() == 1) {
      refuseOfLayout(path, "given another type");
      if (named(TableOptions.SEQUENCE_FIELD, path.get(0))) {
        throw refused(path, "cannot be given another type: rows of one key are ordered by it");
      }
    }
    boolean plain = from instanceof Scalar && to instanceof Scalar;
    if (!plain || !isWider((Scalar) from, (Scalar) to)) {
      throw refused(
          path,
          "cannot change from %s to %s: a column can only become an integer, decimal or floating"
              + " point number that holds all its values, or a longer text",
          ColumnTypes.print(from.withNullable(true)),
          ColumnTypes.print(to.withNullable(true)));
    }
    if (path.size() > 1 && !Widening.isNothing((Scalar) from, (Scalar) to)) {
      throw refused(
          path,
          "cannot change from %s to %s: values inside of other types cannot be widened when older"
              + " files are read",
          ColumnTypes.print(from.withNullable(true)),
          ColumnTypes.print(to.withNullable(true)));
    }
  }

  private static boolean isWider(Scalar from, Scalar to) {
    boolean fixedLength = to.kind() == Kind.CHAR || to.kind() == Kind.BINARY;
    return !fixedLength && !losesDigits(from.kind(), to.kind()) && Widening.isPossible(from, to);
  }

  /** A float holds integers up to 2^24, a double up to 2^53. */
  private static boolean losesDigits(Kind from, Kind to) {
    return switch (to) {
      case FLOAT -> from == Kind.INT || from == Kind.BIGINT;
      case DOUBLE -> from == Kind.BIGINT;
      default -> false;
    };
  }

  private void changeDefault(List<String> path, String value) {
    if (path.size() > 1) {
      throw new IllegalArgumentException(
          "column '%s': only a column of the table can have a DEFAULT, not a field inside of one"
              .formatted(String.join(".", path)));
    }
    editSiblings(
        path,
        (siblings, index) ->
            siblings.set(index, DefaultText.checked(siblings.get(index).defaulted(value))));
  }

  private void changeNullability(List<String> path, boolean nullable) {
    columns =
        (ColumnType.Row)
            edit(
                columns,
                path,
                path.size(),
                type -> {
                  if (type.nullable() && !nullable) {
                    throw refused(
                        path, "cannot become NOT NULL: rows that are there may have no value");
                  } else if (nullable && path.size() == 1 && primaryKeys.contains(path.get(0))) {
                    throw refused(path, "cannot become nullable: it is part of the primary key");
                  }
                  return type.withNullable(nullable);
                });
  }

  // ---- what the layout of files rests on

  private void refuseOfLayout(List<String> path, String what) {
    String name = path.get(0);
    if (primaryKeys.contains(name)) {
      throw refused(path, "cannot be %s: it is part of the primary key", what);
    } else if (old.partitionKeys().contains(name)) {
      throw refused(path, "cannot be %s: it is a partition column", what);
    } else if (named(TableOptions.BUCKET_KEY, name)) {
      throw refused(
          path, "cannot be %s: it is part of the bucket key, by which rows are spread", what);
    }
  }

  private boolean named(String option, String column) {
    return new OptionValues(options).list(option).contains(column);
  }

  // ---- ways to the place of a change

  /** A change of one of the fields of a struct. */
  private interface SiblingEdit {
    /**
     * @param siblings to be changed
     * @param index of the column that the path leads to
     */
    void of(List<Column> siblings, int index);
  }

  private void editSiblings(List<String> path, SiblingEdit edit) {
    columns =
        (ColumnType.Row)
            edit(
                columns,
                path,
                path.size() - 1,
                parent -> {
                  List<Column> siblings = fields(parent, path);
                  edit.of(siblings, indexOf(siblings, path));
                  return new ColumnType.Row(siblings, parent.nullable());
                });
  }

  /** Replaces the type where the first {@code depth} names of a path lead to. */
  private static ColumnType edit(
      ColumnType type, List<String> path, int depth, UnaryOperator<ColumnType> change) {
    return edit(type, path, 0, depth, change);
  }

  private static ColumnType edit(
      ColumnType type, List<String> path, int at, int depth, UnaryOperator<ColumnType> change) {
    if (at == depth) {
      return change.apply(type);
    }
    if (type instanceof ColumnType.Array array && path.get(at).equals("element")) {
      ColumnType element = edit(array.element(), path, at + 1, depth, change);
      return new ColumnType.Array(element, array.nullable());
    } else if (type instanceof ColumnType.Map map && path.get(at).equals("value")) {
      ColumnType value = edit(map.value(), path, at + 1, depth, change);
      return new ColumnType.Map(map.key(), value, map.nullable());
    } else if (type instanceof ColumnType.Map && path.get(at).equals("key")) {
      throw refused(path, "cannot be changed: it is in the key of a map");
    }
    List<Column> siblings = fields(type, path.subList(0, at + 1));
    int index = indexOf(siblings, path.subList(0, at + 1));
    Column column = siblings.get(index);
    siblings.set(index, column.typed(edit(column.type(), path, at + 1, depth, change)));
    return new ColumnType.Row(siblings, type.nullable());
  }

  private static List<Column> fields(ColumnType parent, List<String> path) {
    if (parent instanceof ColumnType.Row row) {
      return new ArrayList<>(row.columns());
    }
    throw refused(
        path,
        "cannot be changed: '%s' is no struct but %s",
        String.join(".", path.subList(0, path.size() - 1)),
        ColumnTypes.print(parent));
  }

  private static int indexOf(List<Column> siblings, List<String> path) {
    int index = find(siblings, last(path));
    if (index < 0) {
      throw refused(path, "is not there; there are %s", names(siblings));
    }
    return index;
  }

  private static int find(List<Column> columns, String name) {
    return names(columns).indexOf(name);
  }

  private static List<String> names(List<Column> columns) {
    return columns.stream().map(Column::name).toList();
  }

  private static String last(List<String> path) {
    return path.get(path.size() - 1);
  }
}
