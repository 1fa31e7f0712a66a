package io.obelus.core.table.schema;

/** What one statement changes of a table's schema; makes one new schema file. */
public sealed interface SchemaChange
    permits OptionChange, ColumnChanges, CommentChange, SchemaMerge {

  /**
   * The schema after {@code schema}; the same one if nothing changes.
   *
   * @param hasSnapshot whether anything was ever committed: some options are fixed from then on
   * @throws IllegalArgumentException names the option or column that cannot be changed, and why
   */
  TableSchema applyTo(TableSchema schema, boolean hasSnapshot, long timeMillis);
}
