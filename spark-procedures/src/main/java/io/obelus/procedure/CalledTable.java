package io.obelus.procedure;

import io.obelus.spark.ObelusTable;
import java.util.Arrays;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import scala.collection.JavaConverters;

/** Finds the table that a call names. */
final class CalledTable {

  private CalledTable() {}

  /**
   * The table of a name such as {@code t}, {@code db.t} or {@code lake.db.t}; a name of one part is
   * looked for in the current namespace. A branch may be named without backticks: {@code
   * db.t$branch_b}.
   */
  static ObelusTable of(SparkSession session, TableCatalog catalog, String name) {
    Identifier identifier = identifier(session, catalog, name);
    try {
      if (catalog.loadTable(identifier) instanceof ObelusTable table) {
        return table;
      }
    } catch (NoSuchTableException e) {
      throw new IllegalArgumentException(
          "there is no table '" + name + "' in catalog '" + catalog.name() + "'", e);
    }
    throw new IllegalArgumentException("'" + name + "' is not a table of Obelus");
  }

  private static Identifier identifier(SparkSession session, TableCatalog catalog, String name) {
    int bare = name.indexOf('`') < 0 && name.indexOf('$') > 0 ? name.indexOf('$') : name.length();
    String[] parts;
    try {
      parts =
          JavaConverters.seqAsJavaList(
                  session
                      .sessionState()
                      .sqlParser()
                      .parseMultipartIdentifier(name.substring(0, bare)))
              .toArray(new String[0]);
      parts[parts.length - 1] += name.substring(bare);
    } catch (ParseException e) {
      throw new IllegalArgumentException("'" + name + "' is not the name of a table", e);
    }
    if (parts.length > 2 && parts[0].equalsIgnoreCase(catalog.name())) {
      parts = Arrays.copyOfRange(parts, 1, parts.length);
    }
    String[] namespace =
        parts.length > 1
            ? Arrays.copyOf(parts, parts.length - 1)
            : currentNamespace(session, catalog);
    return Identifier.of(namespace, parts[parts.length - 1]);
  }

  private static String[] currentNamespace(SparkSession session, TableCatalog catalog) {
    var manager = session.sessionState().catalogManager();
    return manager.currentCatalog() == catalog
        ? manager.currentNamespace()
        : catalog.defaultNamespace();
  }
}
