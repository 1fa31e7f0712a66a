package io.obelus.spark;

import io.obelus.core.table.schema.ColumnChange;
import io.obelus.core.table.schema.ColumnChange.Position;
import io.obelus.core.table.schema.ColumnChanges;
import io.obelus.core.table.schema.CommentChange;
import io.obelus.core.table.schema.OptionChange;
import io.obelus.core.table.schema.SchemaChange;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.connector.catalog.CatalogV2Util;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;

/** What an ALTER TABLE, or COMMENT ON TABLE, asks for, in the core's terms. */
final class AlterStatement {

  private AlterStatement() {}

  /**
   * IllegalArgumentException names what cannot be changed, or says that a statement mixes what
   * makes more than one change of the schema.
   */
  static SchemaChange change(TableChange... changes) {
    boolean ofProperties =
        Arrays.stream(changes)
            .allMatch(
                change ->
                    change instanceof TableChange.SetProperty
                        || change instanceof TableChange.RemoveProperty);
    if (!ofProperties) {
      return new ColumnChanges(Arrays.stream(changes).map(AlterStatement::ofColumn).toList());
    } else if (changes.length == 1
        && changes[0] instanceof TableChange.SetProperty property
        && property.property().equals(TableCatalog.PROP_COMMENT)) {
      return new CommentChange(property.value());
    } else if (changes.length == 1
        && changes[0] instanceof TableChange.RemoveProperty property
        && property.property().equals(TableCatalog.PROP_COMMENT)) {
      return new CommentChange(null);
    }
    return ofOptions(changes);
  }

  private static OptionChange ofOptions(TableChange... changes) {
    Map<String, String> set = new TreeMap<>();
    Set<String> removed = new TreeSet<>();
    for (TableChange change : changes) {
      if (change instanceof TableChange.SetProperty property) {
        refuseReserved(property.property());
        set.put(property.property(), property.value());
        removed.remove(property.property());
      } else if (change instanceof TableChange.RemoveProperty property) {
        refuseReserved(property.property());
        removed.add(property.property());
        set.remove(property.property());
      }
    }
    return new OptionChange(set, removed);
  }

  private static void refuseReserved(String property) {
    if (CatalogV2Util.TABLE_RESERVED_PROPERTIES().contains(property)
        || property.equals(TableDefinition.PRIMARY_KEY)
        || property.equals("partition")) {
      throw new IllegalArgumentException(
          "property '"
              + property
              + "' of a table cannot be changed"
              + (property.equals(TableCatalog.PROP_COMMENT) ? " together with others" : ""));
    }
  }

  private static ColumnChange ofColumn(TableChange change) {
    if (change instanceof TableChange.AddColumn add) {
      return added(add);
    } else if (change instanceof TableChange.DeleteColumn drop) {
      return new ColumnChange.Drop(path(drop));
    } else if (change instanceof TableChange.RenameColumn rename) {
      refuseTakenName(rename, rename.newName());
      return new ColumnChange.Rename(path(rename), rename.newName());
    } else if (change instanceof TableChange.UpdateColumnType type) {
      return new ColumnChange.Retype(path(type), type.newDataType());
    } else if (change instanceof TableChange.UpdateColumnNullability nullability) {
      return new ColumnChange.Nullability(path(nullability), nullability.nullable());
    } else if (change instanceof TableChange.UpdateColumnComment comment) {
      return new ColumnChange.Comment(path(comment), comment.newComment());
    } else if (change instanceof TableChange.UpdateColumnPosition move) {
      return new ColumnChange.Move(path(move), position(move.position()));
    } else if (change instanceof TableChange.UpdateColumnDefaultValue column) {
      String value = column.newDefaultValue();
      return new ColumnChange.Default(path(column), value.isEmpty() ? null : value);
    }
    throw new IllegalArgumentException(
        "ALTER TABLE: %s cannot be had beside changes of columns; give it a statement of its own"
            .formatted(change.getClass().getSimpleName()));
  }

  private static ColumnChange added(TableChange.AddColumn add) {
    refuseTakenName(add, add.fieldNames()[add.fieldNames().length - 1]);
    if (add.defaultValue() != null) {
      throw new IllegalArgumentException(
          "column '%s': rows that are there would not get the DEFAULT, they have NULL; add the column without it, then give it one with ALTER COLUMN … SET DEFAULT"
              .formatted(String.join(".", add.fieldNames())));
    }
    return new ColumnChange.Add(
        path(add), add.dataType(), add.isNullable(), add.comment(), position(add.position()));
  }

  /** Only of columns of the table: what is inside of one stands in nobody's way. */
  private static void refuseTakenName(TableChange.ColumnChange change, String name) {
    if (change.fieldNames().length == 1) {
      TableDefinition.refuseTakenName(name);
    }
  }

  private static List<String> path(TableChange.ColumnChange change) {
    return List.of(change.fieldNames());
  }

  /** Spark's null is the end. */
  private static Position position(TableChange.ColumnPosition position) {
    if (position == null) {
      return Position.LAST;
    }
    return position instanceof TableChange.After after
        ? Position.after(after.column())
        : Position.FIRST;
  }
}
