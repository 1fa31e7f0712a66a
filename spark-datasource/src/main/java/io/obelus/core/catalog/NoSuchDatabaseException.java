package io.obelus.core.catalog;

import java.util.List;

/** A database that is asked for is not there. */
public final class NoSuchDatabaseException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  NoSuchDatabaseException(String database, String warehouse, List<String> others) {
    super("there is no database '%s' in %s; there are %s".formatted(database, warehouse, others));
  }
}
