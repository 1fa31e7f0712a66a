package io.obelus.core.table.schema;

import java.util.List;

/**
 * Changes of columns, done one after another (spec chapter 02, "Schema change").
 *
 * @param changes in order: a later one sees what an earlier one did
 */
public record ColumnChanges(List<ColumnChange> changes) implements SchemaChange {

  public ColumnChanges {
    changes = List.copyOf(changes);
  }

  @Override
  public TableSchema applyTo(TableSchema schema, boolean hasSnapshot, long timeMillis) {
    SchemaEditor editor = new SchemaEditor(schema);
    changes.forEach(editor::apply);
    TableSchema next = editor.schema(timeMillis);
    if (next.rowType().equals(schema.rowType())) {
      return schema;
    }
    if (next.rowType().size() == 0) {
      throw new IllegalArgumentException(
          "columns %s cannot be dropped: no column would be left"
              .formatted(schema.rowType().names()));
    }
    NewTable.checkColumns(next.rowType().columns(), "");
    new TableRules(next).check();
    return next;
  }
}
