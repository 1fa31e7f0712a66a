package io.obelus.core.file.index.key;

import java.nio.ByteBuffer;

/** A column all of whose keys are known: a key's rank is the number of keys below it. */
public final class SortedColumn {

  private final KeyColumn column;
  private final KeyTable table;
  private final int[] codes; // by rank
  private final int[] ranks; // by code

  SortedColumn(KeyColumn column, KeyTable table) {
    this.column = column;
    this.table = table;
    codes = table.sorted();
    ranks = new int[codes.length];
    for (int rank = 0; rank < codes.length; rank++) {
      ranks[codes[rank]] = rank;
    }
  }

  public int rowCount() {
    return column.rowCount();
  }

  /** Number of different keys. */
  public int keyCount() {
    return codes.length;
  }

  /** Bytes of a key. */
  public int keyBytes(int rank) {
    return table.bytes(codes[rank]);
  }

  /** Writes a key in as many bytes. */
  public void writeKey(int rank, ByteBuffer out) {
    table.write(codes[rank], out);
  }

  /** The rank of a row's key, -1 for null. */
  public int rankAt(int row) {
    int code = column.codeAt(row);
    return code < 0 ? -1 : ranks[code];
  }
}
