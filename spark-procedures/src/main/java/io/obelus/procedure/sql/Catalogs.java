package io.obelus.procedure.sql;

import io.obelus.spark.ObelusCatalog;
import io.obelus.spark.ObelusSessionCatalog;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;

/** Which catalogs of a session are ours. */
final class Catalogs {

  private Catalogs() {}

  static boolean isOurs(CatalogPlugin catalog) {
    return catalog instanceof ObelusCatalog || catalog instanceof ObelusSessionCatalog;
  }
}
