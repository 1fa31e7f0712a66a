package io.obelus.core.table.verify;

import java.io.IOException;

/**
 * One thing that must hold of a table, a snapshot or a bucket. Without state.
 *
 * @param <T> what is looked at
 */
@FunctionalInterface
interface Check<T> {

  /** Looks, and reports what is wrong. */
  void check(T subject, Report report) throws IOException;
}
