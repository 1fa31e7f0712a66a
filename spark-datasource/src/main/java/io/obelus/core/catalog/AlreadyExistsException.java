package io.obelus.core.catalog;

/** A database or table cannot be made since there is one of that name. */
public final class AlreadyExistsException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  AlreadyExistsException(String what) {
    super(what + " exists already; choose another name or drop it first");
  }
}
