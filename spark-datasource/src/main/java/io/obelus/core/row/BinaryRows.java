package io.obelus.core.row;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Reads and writes rows in the binary form of metadata and hashes (spec chapter 05). Thread-safe.
 *
 * <pre>
 *   | arity  | row kind, null bits        | slots     | items             |
 *   | int BE | (arity + 71) / 64 * 8 bytes| 8 each    | 8-byte words      |
 *            ^ the image; offsets in slots count from here
 * </pre>
 *
 * <p>Row kind is byte 0 of the image and always written as 0; bit {@code i + 8} says that column
 * {@code i} is null. All numbers but the arity are little endian. A slot holds the value itself, or
 * offset (high int) and length (low int) of an item; {@link ValueCodec} knows which.
 *
 * <p>Values are Spark's internal ones. Time stamps of more than six digits lose the others when
 * they are read.
 */
public final class BinaryRows {

  private static final int ARITY = 4; // bytes

  private final int size;
  private final RowImage image;

  /** IllegalArgumentException names a column of a type that Spark 3.5 has no values for. */
  public BinaryRows(RowType type) {
    this.size = type.size();
    this.image = new RowImage(type, IntStream.range(0, type.size()).toArray());
  }

  /** The row image alone, as it is hashed. */
  public byte[] image(InternalRow row) {
    ImageBuffer buffer = new ImageBuffer();
    image.write(row, buffer);
    return Arrays.copyOf(buffer.bytes(), buffer.end());
  }

  /** Arity (int, big endian) and image, as manifests keep it. */
  public byte[] write(InternalRow row) {
    ImageBuffer buffer = new ImageBuffer();
    buffer.putInt(buffer.reserve(ARITY), Integer.reverseBytes(size));
    image.write(row, buffer);
    return Arrays.copyOf(buffer.bytes(), buffer.end());
  }

  /**
   * Reads what {@link #write} wrote, into a row of its own. IllegalArgumentException says what is
   * wrong with the bytes; whoever knows the file adds the place.
   */
  public InternalRow read(byte[] bytes) {
    Image all = new Image(bytes, 0, bytes.length);
    int arity = Integer.reverseBytes(all.getInt(0));
    if (arity != size) {
      throw new IllegalArgumentException(
          "a binary row should have " + size + " columns but has " + arity);
    }
    return image.read(all.part(ARITY, bytes.length - ARITY));
  }
}
