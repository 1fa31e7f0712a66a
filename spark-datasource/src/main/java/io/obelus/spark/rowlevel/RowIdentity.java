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
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;

/**
 * The columns of an old row that Spark hands to a row-level write.
 *
 * <p>A table with deletion bitmaps needs the primary key: the row is struck out where it is. A
 * table without them writes the delete as a row of its own, which needs a value in every column
 * that is NOT NULL, and the old row's sequence, so that it is not older than what it deletes. Spark
 * allows no column here that may be null.
 *
 * @param columns indexes in the table's row, the primary key first
 * @param keyColumns how many of them are the primary key
 * @param sequence indexes in the table's row of the sequence columns by which old and new rows are
 *     still compared after this write; empty with deletion bitmaps
 * @param sequenceDescending whether the smaller sequence is the newer one
 */
record RowIdentity(
    RowType row, int[] columns, int keyColumns, int[] sequence, boolean sequenceDescending)
    implements Serializable {

  /** Why a table with a key cannot have the command; empty if it can. */
  static Optional<String> refusal(Table table, Command command) {
    TableSchema schema = table.schema();
    TableOptions options = table.options();
    String engine = schema.options().getOrDefault("merge-engine", "deduplicate");
    if (!engine.equals("deduplicate")) {
      return Optional.of("its option 'merge-engine' is '" + engine + "', not 'deduplicate'");
    }
    if (options.ignoreDelete() && command != Command.UPDATE) {
      return Optional.of("its option 'ignore-delete' is true, so nothing would be deleted");
    }
    if (options.rowKindField().isPresent()) {
      return Optional.of(
          "its option 'rowkind.field' lets column '"
              + options.rowKindField().get()
              + "' decide what a row does");
    }
    if (options.deletionCoding().isEmpty()) {
      for (String sequence : options.sequenceFields()) {
        if (nullable(schema, sequence)) {
          return Optional.of(
              "it has no deletion bitmaps, and its sequence.field column '"
                  + sequence
                  + "' may be null. Make the column NOT NULL, or write the changes with INSERT and"
                  + " a newer sequence");
        }
      }
    }
    return Optional.empty();
  }

  private static boolean nullable(TableSchema schema, String column) {
    return schema.rowType().project(List.of(column)).column(0).type().nullable();
  }

  /** For a table that {@link #refusal} says nothing about. */
  static RowIdentity of(Table table) {
    TableSchema schema = table.schema();
    TableOptions options = table.options();
    Set<String> names = new LinkedHashSet<>(schema.primaryKeys());
    boolean sequenceDecides = options.deletionCoding().isEmpty();
    options.sequenceFields().stream().filter(s -> !nullable(schema, s)).forEach(names::add);
    if (options.deletionCoding().isEmpty()) {
      for (Column column : schema.rowType().columns()) {
        if (!column.type().nullable()) {
          names.add(column.name());
        }
      }
    }
    RowType type = schema.rowType();
    return new RowIdentity(
        type,
        type.indexesOf(new ArrayList<>(names)),
        schema.primaryKeys().size(),
        type.indexesOf(sequenceDecides ? options.sequenceFields() : List.of()),
        options.sequenceDescending());
  }

  List<String> names() {
    return IntStream.range(0, columns.length).mapToObj(this::name).toList();
  }

  String name(int i) {
    return row.column(columns[i]).name();
  }
}
