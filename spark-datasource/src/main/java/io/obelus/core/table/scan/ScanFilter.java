package io.obelus.core.table.scan;

import io.obelus.core.row.Predicate;
import java.io.Serializable;

/**
 * Which rows a scan returns.
 *
 * @param condition every row of which it is true is returned; others may be, as it comes
 * @param required a part of the condition: it is true of every row that is returned
 */
public record ScanFilter(Predicate condition, Predicate required) implements Serializable {

  /** Rows that do not fulfil the condition may be returned. */
  public static ScanFilter of(Predicate condition) {
    return new ScanFilter(condition, Predicate.ALWAYS);
  }
}
