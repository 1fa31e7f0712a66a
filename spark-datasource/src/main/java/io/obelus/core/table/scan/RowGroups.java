package io.obelus.core.table.scan;

import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.Aggregates.Function;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Sums up rows by the values of a column. Not thread-safe. */
final class RowGroups {

  /** Groups kept at a time; a group that comes again later comes as another row. */
  private static final int MOST = 10_000;

  private final Aggregates aggregates;
  private final StructField[] fields;
  private final int[] columns; // of each aggregate among the fields; -1 = none
  private final Queue<GenericInternalRow> ready;
  private final Map<Object, Sums> groups = new HashMap<>();

  /** Of each aggregate one is used: the number of rows, or the value furthest out. */
  private record Sums(long[] counts, Object[] extremes) {}

  /**
   * @param columns of the batches, the group's first
   * @param ready gets the groups
   */
  RowGroups(Aggregates aggregates, RowType columns, Queue<GenericInternalRow> ready) {
    this.aggregates = aggregates;
    this.fields = columns.toSpark().fields();
    this.columns = new int[aggregates.parts().size()];
    for (int i = 0; i < this.columns.length; i++) {
      Column column = aggregates.parts().get(i).column();
      this.columns[i] = column == null ? -1 : columns.indexOfId(column.id());
    }
    this.ready = ready;
  }

  void add(ColumnarBatch batch) {
    for (int i = 0; i < batch.numRows(); i++) {
      add(batch.getRow(i));
    }
  }

  private void add(InternalRow row) {
    Object key = aggregates.group() == null ? null : value(row, 0);
    Sums sums = groups.get(key);
    if (sums == null) {
      if (groups.size() == MOST) {
        flush();
      }
      sums = new Sums(new long[columns.length], new Object[columns.length]);
      groups.put(InternalRow.copyValue(key), sums);
    }
    for (int i = 0; i < columns.length; i++) {
      if (columns[i] < 0 || !row.isNullAt(columns[i])) {
        add(sums, i, row);
      }
    }
  }

  private void add(Sums sums, int part, InternalRow row) {
    Function function = aggregates.parts().get(part).function();
    switch (function) {
      case COUNT_ROWS, COUNT -> sums.counts()[part]++;
      case MIN, MAX -> {
        Object value = value(row, columns[part]);
        Object known = sums.extremes()[part];
        if (known == null || (compare(value, known) < 0) == (function == Function.MIN)) {
          sums.extremes()[part] = InternalRow.copyValue(value);
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // extremes are asked of numbers only
  static int compare(Object left, Object right) {
    return ((Comparable<Object>) left).compareTo(right);
  }

  private Object value(InternalRow row, int column) {
    return row.isNullAt(column) ? null : row.get(column, fields[column].dataType());
  }

  /** Hands on what has been summed up so far. */
  void flush() {
    groups.forEach((key, sums) -> ready.add(row(key, sums)));
    groups.clear();
  }

  private GenericInternalRow row(Object key, Sums sums) {
    int from = aggregates.group() == null ? 0 : 1;
    Object[] values = new Object[from + columns.length];
    if (from > 0) {
      values[0] = key;
    }
    for (int i = 0; i < columns.length; i++) {
      boolean isExtreme = aggregates.parts().get(i).isExtreme();
      values[from + i] = isExtreme ? sums.extremes()[i] : (Object) sums.counts()[i];
    }
    return new GenericInternalRow(values);
  }
}
