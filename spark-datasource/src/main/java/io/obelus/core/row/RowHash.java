package io.obelus.core.row;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * The hash of some columns of a row (spec chapter 05): Murmur3 with seed 42 over their row image.
 * Not thread-safe: it reuses a buffer, and allocates nothing per row unless a value is a long
 * decimal.
 */
public final class RowHash implements Serializable {

  private static final long serialVersionUID = 1;
  private static final int SEED = 42;

  private final RowType type;
  private final int[] columns;
  private transient RowImage image; // made anew after a journey
  private transient ImageBuffer buffer;

  /**
   * @param columns indexes in rows of {@code type} of the columns that are hashed, in order
   */
  public RowHash(RowType type, int[] columns) {
    this.type = type;
    this.columns = columns.clone();
    prepare();
  }

  private void prepare() {
    image = new RowImage(type, columns);
    buffer = new ImageBuffer();
  }

  private Object readResolve() {
    prepare();
    return this;
  }

  public int of(InternalRow row) {
    buffer.clear();
    image.write(row, buffer);
    return of(buffer.bytes(), buffer.end());
  }

  /** The hash of a row image ({@link BinaryRows#image}). */
  public static int ofImage(byte[] image) {
    return of(image, image.length);
  }

  private static int of(byte[] bytes, int length) {
    // Images are whole 8-byte words, so Spark's hash of whole words is the standard one.
    return Murmur3_x86_32.hashUnsafeWords(bytes, Platform.BYTE_ARRAY_OFFSET, length, SEED);
  }
}
