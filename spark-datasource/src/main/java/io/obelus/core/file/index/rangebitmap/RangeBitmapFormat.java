package io.obelus.core.file.index.rangebitmap;

/**
 * The bytes of a range bitmap index (spec chapter 24), big endian except inside Roaring bitmaps;
 * keys as in {@link io.obelus.core.file.index.key.KeyCoding}. A key's code is the number of keys
 * below it.
 *
 * <pre>
 *   head         | int size of the rest of the head |
 *                | byte 1 | int row count | int key count c | least key | greatest key |
 *                                                             both left out if c is 0
 *                | int dictionary size |
 *   dictionary   | int 13 | byte 1 | int chunks | int 4 * chunks | int size of the heads |
 *                chunks times | int where its head starts, from the first head |
 *                heads of the chunks, each:
 *                  | byte 1 | first key | int its code | int start | int n further keys |
 *                    keys of one size:  | int size of all | int size of one |
 *                    texts:             | int 4 * n | int size of all |
 *                further keys of all chunks; those of one start at "start" from the first
 *                    texts: n times | int offset from the first text |, then the texts
 *   slices       | int 10 + 8k | byte 1 | byte k slices | int size of the existence bitmap |
 *                | int 8k |
 *                k times | int start | int size |    start from the end of the existence bitmap
 *                existence bitmap: the rows that are not null
 *                slices, the lowest bit first: the rows whose code has that bit
 * </pre>
 *
 * <p>There is one slice for each bit of the greatest code, at least one; without any key there are
 * {@link #SLICES_WITHOUT_KEYS}, all empty.
 */
final class RangeBitmapFormat {

  static final int V1 = 1;

  /** Bits of -1, which is the greatest of no codes. */
  static final int SLICES_WITHOUT_KEYS = Long.SIZE;

  /** What a dictionary's head says of its own size. */
  static final int DICTIONARY_HEAD = 13;

  /** Start and size of a slice. */
  static final int SLICE_ENTRY = 2 * Integer.BYTES;

  /** Version, number of slices and two sizes. */
  static final int SLICES_HEAD = 1 + 1 + 4 + 4;

  private RangeBitmapFormat() {}

  static int slices(int keyCount) {
    return keyCount == 0
        ? SLICES_WITHOUT_KEYS
        : Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(keyCount - 1));
  }
}
