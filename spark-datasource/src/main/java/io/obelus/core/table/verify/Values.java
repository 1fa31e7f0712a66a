package io.obelus.core.table.verify;

import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.util.HexFormat;
import java.util.StringJoiner;
import org.apache.spark.sql.catalyst.InternalRow;

/** Values of rows as texts, for messages. */
final class Values {

  private static final int LONGEST = 100; // characters of one value

  private Values() {}

  /** One value, where row and type have the same columns. */
  static String text(InternalRow row, RowType columns, int i) {
    return text(row, columns.column(i).type(), i);
  }

  /** One value. */
  static String text(InternalRow row, ColumnType type, int ordinal) {
    if (row.isNullAt(ordinal)) {
      return "null";
    }
    Object value = row.get(ordinal, SparkTypes.toSpark(type));
    String text =
        value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value.toString();
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }

  /** Some values: {@code (1, a)}. */
  static String text(InternalRow row, RowType columns, int[] indexes) {
    StringJoiner texts = new StringJoiner(", ", "(", ")");
    for (int i : indexes) {
      texts.add(text(row, columns, i));
    }
    return texts.toString();
  }
}
