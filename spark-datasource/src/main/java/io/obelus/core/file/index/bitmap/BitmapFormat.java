package io.obelus.core.file.index.bitmap;

/**
 * The bytes of a bitmap index (spec chapter 21), big endian except inside Roaring bitmaps; keys as
 * in {@link io.obelus.core.file.index.key.KeyCoding}.
 *
 * <pre>
 *   version 1                                   version 2
 *   | byte | int       | int    | byte     |    | byte | int       | int    | byte     |
 *   |  1   | row count | values | any null |    |  2   | row count | values | any null |
 *   | int offset |     of the nulls, if any     | int offset | int length |
 *   values times | key | int offset |           | int blocks |
 *                                               blocks times | first key | int offset |
 *                                               | int size of all blocks |
 *                                               blocks, one after another, each:
 *                                                 | int entries |
 *                                                 entries times | key | int offset | int length |
 *   body                                        body
 *                 the Roaring bitmaps, in any order
 * </pre>
 *
 * <p>"values" counts those that are not null. The offset of a bitmap counts from the start of the
 * body. An offset below 0 is no offset: the value has the one row {@code -1 - offset} and nothing
 * in the body; its length is -1 ({@link #ONE_ROW_BYTES} for the nulls) and not looked at.
 *
 * <p>The offset of a block counts from the first block. Keys ascend through all blocks; those of
 * version 1 come in any order.
 */
final class BitmapFormat {

  static final int V1 = 1; // the whole dictionary stands in the head
  static final int V2 = 2; // the dictionary is cut into blocks, read when asked for

  /** Length that version 2 keeps for nulls on one row: what a bitmap of it would take. */
  static final int ONE_ROW_BYTES = 18;

  /** Length of other values that are on one row. */
  static final int NO_LENGTH = -1;

  /** Offset and length of an entry. */
  static final int ENTRY_BYTES = 2 * Integer.BYTES;

  private BitmapFormat() {}

  /** What stands for an offset where there is one row; and back. */
  static int oneRow(int rowOrOffset) {
    return -1 - rowOrOffset;
  }
}
