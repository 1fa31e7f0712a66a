package io.obelus.core.row;

import java.io.Serializable;
import java.util.Objects;

/**
 * One column of a table, or one field of a nested row (spec chapter 02).
 *
 * @param id never changes and is never used again; columns of two schemas are the same if their ids
 *     are
 * @param name as written in the schema
 * @param comment null if none
 * @param defaultValue SQL text of the value that a write takes where the column is left out; null
 *     if none
 */
public record Column(int id, String name, ColumnType type, String comment, String defaultValue)
    implements Serializable {

  public Column {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
  }

  public Column(int id, String name, ColumnType type) {
    this(id, name, type, null, null);
  }

  /** The same column under another name. */
  public Column named(String other) {
    return new Column(id, other, type, comment, defaultValue);
  }

  /** The same column with another type. */
  public Column typed(ColumnType other) {
    return new Column(id, name, other, comment, defaultValue);
  }

  /** The same column with another comment; null for none. */
  public Column commented(String other) {
    return new Column(id, name, type, other, defaultValue);
  }

  /** The same column with another default; null for none. */
  public Column defaulted(String other) {
    return new Column(id, name, type, comment, other);
  }
}
