package io.obelus.core.row;

import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Reads and writes rows in the binary form of metadata and hashes (spec chapter 05). Thread-safe.
 */
public final class BinaryRows {

  private final RowType type;

  public BinaryRows(RowType type) {
    this.type = type;
  }

  /** The row image alone, as it is hashed. */
  public byte[] image(InternalRow row) {
    throw new UnsupportedOperationException("to be written " + type);
  }

  /** Arity (int, big endian) and image, as manifests keep it. */
  public byte[] write(InternalRow row) {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Reads what {@link #write} wrote. IllegalArgumentException says what is wrong with the bytes;
   * whoever knows the file adds the place.
   */
  public InternalRow read(byte[] bytes) {
    throw new UnsupportedOperationException("to be written");
  }
}
