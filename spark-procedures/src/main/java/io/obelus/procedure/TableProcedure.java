package io.obelus.procedure;

import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;

/** A procedure that does something to the one table that its first argument names. */
interface TableProcedure extends Procedure {

  /** The argument that names the table. */
  String TABLE = "table";

  /** As {@link Procedure#call}, with the table found. */
  List<Row> call(SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException;

  @Override
  default List<Row> call(SparkSession session, TableCatalog catalog, Arguments arguments) {
    String name = arguments.text(TABLE).orElseThrow();
    Table table = CalledTable.of(session, catalog, name).table();
    try {
      return call(session, catalog, table, arguments);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "sys.%s of table '%s' did not end: %s".formatted(name(), name, e.getMessage()), e);
    }
  }
}
