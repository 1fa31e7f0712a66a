package io.obelus.core.file.position;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.roaringbitmap.RoaringBitmap;

/**
 * The bytes of a Roaring bitmap wherever a file holds one: its portable form, all little endian.
 *
 * <pre>
 *   with run containers                      without
 *   | short | short | flags              |   | int    | int |
 *   | 12347 | n - 1 | 1 bit a container  |   | 12346  |  n  |
 *   n times  | short key | short cardinality - 1 |      ascending keys: the high 16 bits
 *   n times  | int offset of the container |            left out if there are runs and n is below 4
 *   n containers of low 16 bits, one after another:
 *     run       short count, then count times | short first | short length - 1 |
 *     up to 4096 values  one short each, ascending
 *     more               8192 bytes, one bit a value
 * </pre>
 *
 * <p>Numbers in it are unsigned: row positions end at 2^31, others may go on to 2^32.
 */
public final class RoaringFormat {

  private RoaringFormat() {}

  /**
   * The bytes of {@code bitmap}, which stays as it is; the same set always gives the same bytes.
   */
  public static byte[] write(RoaringBitmap bitmap) {
    RoaringBitmap shortest = bitmap.clone();
    shortest.removeRunCompression(); // {1, 2, 3} stays a run if it grew as one, else an array
    shortest.runOptimize();
    ByteBuffer image = ByteBuffer.allocate(shortest.serializedSizeInBytes());
    shortest.serialize(image);
    return image.array();
  }

  /**
   * Reads one bitmap from where {@code bytes} stands and leaves it after the bitmap's last byte.
   *
   * <p>Everything is checked before Roaring, which trusts what it is given, sees a byte: sizes
   * against the bytes that are left, order of keys and values, cardinalities and offsets.
   *
   * @param place where in a file {@code bytes} stands
   * @param what the bitmap's name in an error, such as "bitmap of data-1.parquet"
   * @throws CorruptFileException if anything is not as drawn above
   */
  public static RoaringBitmap read(ByteBuffer bytes, Place place, String what) {
    ByteBuffer rest = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    int length = new RoaringCheck(rest, place, what).length();
    RoaringBitmap bitmap = new RoaringBitmap();
    try {
      bitmap.deserialize(rest.slice(0, length).order(ByteOrder.LITTLE_ENDIAN));
    } catch (IOException e) {
      throw new CorruptFileException(place, what + ": " + e.getMessage(), e);
    }
    bytes.position(bytes.position() + length);
    return bitmap;
  }
}
