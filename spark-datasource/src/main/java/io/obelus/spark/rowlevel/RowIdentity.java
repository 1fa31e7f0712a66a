package io.obelus.spark.rowlevel;

import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;

/**
 * The columns of an old row that Spark hands to a row-level write.
 *
 * <p>A table with deletion bitmaps needs just the primary key: the row is struck out where it is.
 * With {@code sequence.field} the old row's sequence goes along, so that the delete is not older
 * than what it deletes. A table without bitmaps writes the delete as a row of its own, which needs
 * a value in every column that is NOT NULL. Spark allows no column here that may be null.
 *
 * @param columns indexes in the table's row, the primary key first
 * @param keyColumns how many of them are the primary key
 * @param sequence indexes in the table's row of the sequence columns
 * @param sequenceDescending whether the smaller sequence is the newer one
 */
record RowIdentity(
    RowType row, int[] columns, int keyColumns, int[] sequence, boolean sequenceDescending)
    implements Serializable {

  static RowIdentity of(Table table, Command command) {
    TableSchema schema = table.schema();
    TableOptions options = table.options();
    RowType type = schema.rowType();
    if (!schema.keyed()) {
      throw refused(table, command, "it has no primary key, and rows can only be added to it");
    }
    String engine = schema.options().getOrDefault("merge-engine", "deduplicate");
    if (!engine.equals("deduplicate")) {
      throw refused(
          table, command, "its option 'merge-engine' is '" + engine + "', not 'deduplicate'");
    }
    if (options.ignoreDelete() && command != Command.UPDATE) {
      throw refused(table, command, "its option 'ignore-delete' is true, so nothing would happen");
    }
    if (options.rowKindField().isPresent()) {
      throw refused(
          table,
          command,
          "its option 'rowkind.field' says that column '"
              + options.rowKindField().get()
              + "' decides what a row does");
    }
    Set<String> names = new LinkedHashSet<>(schema.primaryKeys());
    for (String sequence : options.sequenceFields()) {
      if (type.column(type.indexesOf(List.of(sequence))[0]).type().nullable()) {
        throw refused(
            table,
            command,
            "its sequence.field column '"
                + sequence
                + "' may be null; make the column NOT NULL, or write the changes with INSERT and"
                + " a newer sequence");
      }
      names.add(sequence);
    }
    if (options.deletionCoding().isEmpty()) {
      for (Column column : type.columns()) {
        if (!column.type().nullable()) {
          names.add(column.name());
        }
      }
    }
    return new RowIdentity(
        type,
        type.indexesOf(new ArrayList<>(names)),
        schema.primaryKeys().size(),
        type.indexesOf(options.sequenceFields()),
        options.sequenceDescending());
  }

  private static IllegalArgumentException refused(Table table, Command command, String why) {
    return new IllegalArgumentException(
        table.name() + ": " + command + " is not possible on this table: " + why);
  }

  String name(int i) {
    return row.column(columns[i]).name();
  }
}
