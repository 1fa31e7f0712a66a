package io.obelus.core.catalog;

/** A table that is to be changed is not there, or not any more. */
public final class NoSuchTableException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  NoSuchTableException(String table, String directory) {
    super("there is no table '%s': %s has no schema file".formatted(table, directory));
  }
}
