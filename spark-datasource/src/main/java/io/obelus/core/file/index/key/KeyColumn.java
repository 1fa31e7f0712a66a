package io.obelus.core.file.index.key;

import io.obelus.core.row.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/**
 * A column collected row by row: its different keys, and a code a row in one, two or four bytes, as
 * few as the number of keys allows. Not thread-safe.
 */
public final class KeyColumn {

  private static final int CHUNK_BITS = 12;
  private static final int CHUNK_ROWS = 1 << CHUNK_BITS;

  /** What {@link SortedColumn} and its callers take: for each key, and for each row. */
  private static final int SORTED_KEY_BYTES = 3 * Integer.BYTES;

  private static final int SORTED_ROW_BYTES = Integer.BYTES;

  private final KeyTable table;
  private final List<Object> full = new ArrayList<>(); // byte[], char[] or int[] of a chunk's rows
  private final int[] last = new int[CHUNK_ROWS]; // code + 1, 0 for null
  private int rowCount;
  private long fullBytes;

  /** No row of a type that {@link KeyCoding} supports. */
  public KeyColumn(ColumnType type) {
    table = KeyCoding.of(type).newTable();
  }

  /** Takes the value of the next row, null or not. */
  public void add(SpecializedGetters values, int ordinal) {
    put(values.isNullAt(ordinal) ? 0 : 1 + table.codeOf(values, ordinal));
  }

  /** Takes a null for the next row. */
  public void addNull() {
    put(0);
  }

  private void put(int code) {
    last[rowCount & (CHUNK_ROWS - 1)] = code;
    rowCount = Math.incrementExact(rowCount);
    if ((rowCount & (CHUNK_ROWS - 1)) == 0) {
      pack();
    }
  }

  private void pack() {
    if (table.size() < 1 << Byte.SIZE) {
      byte[] codes = new byte[CHUNK_ROWS];
      for (int i = 0; i < CHUNK_ROWS; i++) {
        codes[i] = (byte) last[i];
      }
      full.add(codes);
      fullBytes += CHUNK_ROWS;
    } else if (table.size() < 1 << Character.SIZE) {
      char[] codes = new char[CHUNK_ROWS];
      for (int i = 0; i < CHUNK_ROWS; i++) {
        codes[i] = (char) last[i];
      }
      full.add(codes);
      fullBytes += Character.BYTES * CHUNK_ROWS;
    } else {
      full.add(last.clone());
      fullBytes += Integer.BYTES * CHUNK_ROWS;
    }
  }

  int rowCount() {
    return rowCount;
  }

  /** The code of a row's key, below 0 for null. */
  int codeAt(int row) {
    int chunk = row >>> CHUNK_BITS;
    int at = row & (CHUNK_ROWS - 1);
    Object codes = chunk < full.size() ? full.get(chunk) : last;
    if (codes instanceof byte[] bytes) {
      return (bytes[at] & 0xFF) - 1;
    } else if (codes instanceof char[] chars) {
      return chars[at] - 1;
    }
    return ((int[]) codes)[at] - 1;
  }

  /**
   * Bytes of memory held, with those that sorting will take; Long.MAX_VALUE if there were more
   * texts than one array holds.
   */
  public long memory() {
    long keys = table.memory();
    return keys == Long.MAX_VALUE
        ? keys
        : keys
            + fullBytes
            + (long) Integer.BYTES * CHUNK_ROWS
            + (long) SORTED_KEY_BYTES * table.size()
            + (long) SORTED_ROW_BYTES * rowCount;
  }

  /**
   * The column with its keys in order; nothing may be added afterwards.
   *
   * @throws IllegalStateException if {@link #memory} is Long.MAX_VALUE
   */
  public SortedColumn sort() {
    if (table.memory() == Long.MAX_VALUE) {
      throw new IllegalStateException("there were more texts than an index holds");
    }
    return new SortedColumn(this, table);
  }
}
