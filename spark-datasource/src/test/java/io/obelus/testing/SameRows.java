package io.obelus.testing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares rows, and says of many only which differ. */
public final class SameRows {

  private static final int SHOWN = 10;

  private SameRows() {}

  /** Fails unless both hold the same rows, each as often, in whatever order. */
  public static void check(
      String what, Collection<List<Object>> actual, Collection<List<Object>> expected) {
    checkBetween(what, actual, expected, expected);
  }

  /** Fails unless all rows of {@code least} are there, and none that are not in {@code most}. */
  public static void checkBetween(
      String what,
      Collection<List<Object>> actual,
      Collection<List<Object>> least,
      Collection<List<Object>> most) {
    List<List<Object>> missing = without(least, actual);
    List<List<Object>> unexpected = without(actual, most);
    if (!missing.isEmpty() || !unexpected.isEmpty()) {
      throw new AssertionError(
          "%s: %d rows where %d are expected%n  %d missing: %s%n  %d too many: %s"
              .formatted(
                  what,
                  actual.size(),
                  least.size(),
                  missing.size(),
                  first(missing),
                  unexpected.size(),
                  first(unexpected)));
    }
  }

  private static List<List<Object>> without(
      Collection<List<Object>> rows, Collection<List<Object>> others) {
    Map<List<Object>, Integer> left = new HashMap<>();
    others.forEach(row -> left.merge(row, 1, Integer::sum));
    List<List<Object>> without = new ArrayList<>();
    for (List<Object> row : rows) {
      if (left.merge(row, -1, Integer::sum) < 0) {
        without.add(row);
      }
    }
    return without;
  }

  private static List<List<Object>> first(List<List<Object>> rows) {
    return rows.subList(0, Math.min(SHOWN, rows.size()));
  }
}
