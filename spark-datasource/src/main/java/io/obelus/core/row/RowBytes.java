package io.obelus.core.row;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A row in the form that manifests keep, arity included ({@link BinaryRows#write}), equal to
 * another if the bytes are.
 *
 * @param bytes not copied: nobody may change them
 */
public record RowBytes(byte[] bytes) implements Serializable {

  /** The row without columns: partition of an unpartitioned table, key of an append file. */
  public static final RowBytes EMPTY = new RowBytes(new byte[12]);

  @Override
  public boolean equals(Object other) {
    return other instanceof RowBytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
