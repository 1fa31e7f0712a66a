package io.obelus.core.table.schema;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.ColumnTypes;
import java.util.Locale;

/**
 * The DEFAULT of a column as the schema file keeps it: a text that Spark takes as SQL and that
 * Paimon, which knows no SQL there, takes the outer quotes from and casts to the type.
 *
 * <pre>
 *   numbers     5, -1, 0.25, 1e6
 *   BOOLEAN     true, false
 *   texts       'abc'          no quote and no backslash inside
 * </pre>
 */
final class DefaultText {

  private static final String NUMBER = "[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?";
  private static final String PLAIN = "[^'\"\\\\]*";

  private DefaultText() {}

  /**
   * The column with its default in that form.
   *
   * @throws IllegalArgumentException if it is something else, such as an expression
   */
  static Column checked(Column column) {
    String text = column.defaultValue();
    if (text == null || text.strip().equalsIgnoreCase("NULL")) {
      return column.defaulted(null);
    }
    String stored = column.type() instanceof Scalar type ? stored(type, text.strip()) : null;
    if (stored == null) {
      throw new IllegalArgumentException(
          "column '%s' of type %s: the DEFAULT %s cannot be stored; it can be a plain number, true, false or a 'text' without quotes inside, for a column of such a type"
              .formatted(column.name(), ColumnTypes.print(column.type()), text));
    }
    return column.defaulted(stored);
  }

  /** Null if it cannot be. */
  private static String stored(Scalar type, String text) {
    return switch (type.kind()) {
      case BOOLEAN -> text.matches("(?i)true|false") ? text.toLowerCase(Locale.ROOT) : null;
      case TINYINT, SMALLINT, INT, BIGINT -> text.matches("[+-]?\\d+") ? text : null;
      case FLOAT, DOUBLE, DECIMAL -> text.matches(NUMBER) ? text : null;
      case CHAR, VARCHAR ->
          text.matches("'" + PLAIN + "'|\"" + PLAIN + "\"")
              ? "'" + text.substring(1, text.length() - 1) + "'"
              : null;
      default -> null;
    };
  }
}
