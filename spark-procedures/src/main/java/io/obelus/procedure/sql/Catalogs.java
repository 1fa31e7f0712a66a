package io.obelus.procedure.sql;

import io.obelus.spark.ObelusCatalog;
import io.obelus.spark.ObelusSessionCatalog;
import io.obelus.spark.ObelusTable;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;

/** Which catalogs of a session are ours, and which tables. */
final class Catalogs {

  private Catalogs() {}

  static boolean isOurs(CatalogPlugin catalog) {
    return catalog instanceof ObelusCatalog || catalog instanceof ObelusSessionCatalog;
  }

  /** The table that a statement names; null if it is none of ours. */
  static ObelusTable table(SparkSession session, List<String> name) {
    CatalogManager manager = session.sessionState().catalogManager();
    CatalogPlugin catalog = manager.currentCatalog();
    List<String> rest = name;
    if (name.size() > 1 && manager.isCatalogRegistered(name.get(0))) {
      catalog = manager.catalog(name.get(0));
      rest = name.subList(1, name.size());
    }
    if (!isOurs(catalog)) {
      return null;
    }
    String[] namespace =
        name.size() == 1
            ? manager.currentNamespace()
            : rest.subList(0, rest.size() - 1).toArray(new String[0]);
    Identifier identifier = Identifier.of(namespace, rest.get(rest.size() - 1));
    try {
      return ((TableCatalog) catalog).loadTable(identifier) instanceof ObelusTable ours
          ? ours
          : null;
    } catch (NoSuchTableException e) {
      return null;
    }
  }
}
