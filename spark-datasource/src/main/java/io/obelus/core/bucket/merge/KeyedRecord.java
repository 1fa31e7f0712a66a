package io.obelus.core.bucket.merge;

import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A row with its sequence number and kind, as a data file keeps it. Mutable, so that one object
 * serves for all rows of a run.
 */
public final class KeyedRecord {

  private InternalRow row;
  private long sequence;
  private byte kind;

  /** Takes other content; {@code newRow} is kept, not copied. */
  public KeyedRecord set(InternalRow newRow, long newSequence, byte newKind) {
    row = newRow;
    sequence = newSequence;
    kind = newKind;
    return this;
  }

  /** The table's columns, possibly with others behind them. */
  public InternalRow row() {
    return row;
  }

  public long sequence() {
    return sequence;
  }

  /** Code of a {@link io.obelus.core.row.RowKind}. */
  public byte kind() {
    return kind;
  }
}
