package io.obelus.testing;

import io.obelus.testing.PaimonTable.Row;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * What a table with a key must hold, as a sorted map from key to row: the newest row of a key is
 * the one with the largest sequence fields, and of those the one written last.
 */
public final class TableModel {

  private final List<Integer> key;
  private final List<Integer> sequence;
  private final boolean descending;
  private final TreeMap<List<Object>, Row> newest;

  private TableModel(
      List<Integer> key,
      List<Integer> sequence,
      boolean descending,
      TreeMap<List<Object>, Row> newest) {
    this.key = key;
    this.sequence = sequence;
    this.descending = descending;
    this.newest = newest;
  }

  /** An empty table like this one, with its key and sequence fields. */
  public static TableModel of(CoreTable table) {
    var schema = table.table().schema();
    var options = table.table().options();
    List<Integer> key = schema.primaryKeys().stream().map(schema.rowType()::indexOf).toList();
    List<Integer> inKey = IntStream.range(0, key.size()).boxed().toList();
    return new TableModel(
        key,
        options.sequenceFields().stream().map(schema.rowType()::indexOf).toList(),
        options.sequenceDescending(),
        new TreeMap<>(PlainValues.order(inKey)));
  }

  /** Takes over rows that are there, as written at once. */
  public TableModel fill(List<List<Object>> rows) {
    rows.forEach(row -> newest.put(key(row), Row.insert(row.toArray())));
    return this;
  }

  /** The model of the same table with other columns. */
  public TableModel evolved(CoreTable table, UnaryOperator<Object[]> values) {
    TableModel evolved = of(table);
    newest.forEach(
        (key, row) -> evolved.newest.put(key, new Row(row.kind(), values.apply(row.values()))));
    return evolved;
  }

  /** Writes rows one after another. */
  public void write(List<Row> rows) {
    for (Row row : rows) {
      Row old = newest.get(key(row));
      if (old == null || compareSequence(old, row) <= 0) {
        newest.put(key(row), row);
      }
    }
  }

  /** Writes rows that win whatever their sequence fields say. */
  public void overrule(List<Row> rows) {
    rows.forEach(row -> newest.put(key(row), row));
  }

  /** The newest row of a key, even one that deleted it; null if there was none. */
  public Row newest(List<Object> keyValues) {
    return newest.get(keyValues);
  }

  /** The live rows in key order. */
  public List<List<Object>> rows() {
    return newest.values().stream()
        .filter(row -> !isDelete(row))
        .map(row -> Arrays.asList(row.values()))
        .toList();
  }

  /** Whether the row takes its key away. */
  public static boolean isDelete(Row row) {
    return row.kind().isRetract();
  }

  private List<Object> key(Row row) {
    return key(Arrays.asList(row.values()));
  }

  private List<Object> key(List<Object> row) {
    return key.stream().map(row::get).toList();
  }

  @SuppressWarnings("unchecked") // a sequence field holds values of one type
  private int compareSequence(Row a, Row b) {
    for (int column : sequence) {
      Comparable<Object> left = (Comparable<Object>) a.values()[column];
      Comparable<Object> right = (Comparable<Object>) b.values()[column];
      int order = Objects.compare(left, right, Comparator.nullsFirst(Comparator.naturalOrder()));
      if (order != 0) {
        return descending && left != null && right != null ? -order : order;
      }
    }
    return 0;
  }
}
