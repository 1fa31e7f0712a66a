package io.obelus.core.table.scan;

import io.obelus.core.table.scan.Aggregates.Function;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/** Adds up the aggregates of several files: those of one group become one row. Not thread-safe. */
final class GroupTotals {

  private final Aggregates aggregates;
  private final int from; // where the aggregates begin in a row
  private final Map<Object, Object[]> rows = new LinkedHashMap<>(); // by the group's value

  GroupTotals(Aggregates aggregates) {
    this.aggregates = aggregates;
    this.from = aggregates.group() == null ? 0 : 1;
  }

  /** Adds a row of some file; keeps its values. */
  void add(GenericInternalRow row) {
    Object[] values = row.values();
    Object[] known = rows.putIfAbsent(from == 0 ? null : values[0], values);
    if (known != null) {
      for (int i = from; i < known.length; i++) {
        known[i] = both(aggregates.parts().get(i - from).function(), known[i], values[i]);
      }
    }
  }

  private static Object both(Function function, Object left, Object right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return switch (function) {
      case COUNT_ROWS, COUNT -> (Long) left + (Long) right;
      case MIN -> RowGroups.compare(left, right) <= 0 ? left : right;
      case MAX -> RowGroups.compare(left, right) >= 0 ? left : right;
    };
  }

  /** One row a group; one in all, without groups, even if there was none. */
  List<InternalRow> rows() {
    if (from == 0 && rows.isEmpty()) {
      return List.of(aggregates.ofNoRows());
    }
    return rows.values().stream().<InternalRow>map(GenericInternalRow::new).toList();
  }
}
