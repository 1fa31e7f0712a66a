package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.SortedColumn;
import io.obelus.core.file.position.RoaringFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.roaringbitmap.BitSetUtil;

/** Writes the rows of a range bitmap by the bits of their codes. */
final class SliceEncoder {

  private final int keyCount;
  private final int[] codes; // by row; 0 for null, which is in no slice then
  private final long[] words; // a bit a row: what is being written

  SliceEncoder(SortedColumn column) {
    keyCount = column.keyCount();
    codes = new int[column.rowCount()];
    words = new long[(column.rowCount() + Long.SIZE - 1) / Long.SIZE];
    for (int row = 0; row < codes.length; row++) {
      int code = column.rankAt(row);
      codes[row] = Math.max(0, code);
      words[row / Long.SIZE] |= (code < 0 ? 0L : 1L) << row;
    }
  }

  byte[] encode() {
    byte[] existence = RoaringFormat.write(BitSetUtil.bitmapOf(words));
    List<byte[]> slices = new ArrayList<>();
    int bytes = existence.length;
    for (int bit = 0; bit < RangeBitmapFormat.slices(keyCount); bit++) {
      slices.add(slice(bit));
      bytes = Math.addExact(bytes, slices.get(bit).length);
    }
    int table = RangeBitmapFormat.SLICE_ENTRY * slices.size();
    int head = RangeBitmapFormat.SLICES_HEAD + table;
    ByteBuffer out = ByteBuffer.allocate(Math.addExact(Integer.BYTES + head, bytes));
    out.putInt(head)
        .put((byte) RangeBitmapFormat.V1)
        .put((byte) slices.size())
        .putInt(existence.length)
        .putInt(table);
    int start = 0;
    for (byte[] slice : slices) {
      out.putInt(start).putInt(slice.length);
      start += slice.length;
    }
    out.put(existence);
    slices.forEach(out::put);
    return out.array();
  }

  private byte[] slice(int bit) {
    Arrays.fill(words, 0);
    for (int row = 0; row < codes.length; row++) {
      // 64 slices stand for no key; then all codes are 0, so that a shift by bit % 32 does no harm.
      words[row / Long.SIZE] |= (codes[row] >>> bit & 1L) << row;
    }
    return RoaringFormat.write(BitSetUtil.bitmapOf(words));
  }
}
