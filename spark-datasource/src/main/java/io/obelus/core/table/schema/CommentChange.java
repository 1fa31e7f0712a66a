package io.obelus.core.table.schema;

import java.util.Objects;

/**
 * Another comment of a table.
 *
 * @param comment null for none
 */
public record CommentChange(String comment) implements SchemaChange {

  @Override
  public TableSchema applyTo(TableSchema schema, boolean hasSnapshot, long timeMillis) {
    return Objects.equals(comment, schema.comment()) ? schema : schema.next(comment, timeMillis);
  }
}
