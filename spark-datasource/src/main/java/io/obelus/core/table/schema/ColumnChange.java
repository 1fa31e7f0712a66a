package io.obelus.core.table.schema;

import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * One change of a column, or of a field inside of one. A path leads there: the column's name, then
 * names of fields; {@code element} steps into a list, {@code value} into the values of a map.
 * Changes keep the field id, so that files written before are read as they were meant (spec chapter
 * 13).
 */
public sealed interface ColumnChange {

  List<String> path();

  /**
   * A new column, NULL in all rows there are.
   *
   * @param nullable anything but true is refused
   * @param comment null if none
   */
  record Add(List<String> path, DataType type, boolean nullable, String comment, Position position)
      implements ColumnChange {}

  /** The column goes; its field id is never given again. */
  record Drop(List<String> path) implements ColumnChange {}

  /** The last name of the path becomes another one; options that name the column follow. */
  record Rename(List<String> path, String name) implements ColumnChange {}

  /** Another type that holds all values of the old one. */
  record Retype(List<String> path, DataType type) implements ColumnChange {}

  /** Whether NULL can be written; only to true. */
  record Nullability(List<String> path, boolean nullable) implements ColumnChange {}

  /**
   * Another comment.
   *
   * @param comment null for none
   */
  record Comment(List<String> path, String comment) implements ColumnChange {}

  /**
   * Another value for rows that are written without the column.
   *
   * @param value SQL text; null for none
   */
  record Default(List<String> path, String value) implements ColumnChange {}

  /** Another place among the columns. */
  record Move(List<String> path, Position position) implements ColumnChange {}

  /**
   * A place among the columns, or among the fields of one struct.
   *
   * @param after name of the column to stand behind; null = at the front, or at the end
   */
  record Position(boolean front, String after) {
    public static final Position FIRST = new Position(true, null);
    public static final Position LAST = new Position(false, null);

    public static Position after(String name) {
      return new Position(false, name);
    }
  }
}
