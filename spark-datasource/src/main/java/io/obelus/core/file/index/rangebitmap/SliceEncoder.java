package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.SortedColumn;
import io.obelus.core.file.position.RoaringFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.roaringbitmap.RoaringBitmap;

/** Writes the rows of a range bitmap by the bits of their codes. */
final class SliceEncoder {

  private final SortedColumn column;

  SliceEncoder(SortedColumn column) {
    this.column = column;
  }

  byte[] encode() {
    byte[] existence = bitmap(code -> code >= 0);
    List<byte[]> slices = new ArrayList<>();
    int bytes = existence.length;
    for (int bit = 0; bit < RangeBitmapFormat.slices(column.keyCount()); bit++) {
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
    return column.keyCount() == 0
        ? RoaringFormat.write(new RoaringBitmap())
        : bitmap(code -> code >= 0 && (code >>> bit & 1) != 0);
  }

  /** The rows whose code, -1 for null, is as asked. */
  private byte[] bitmap(IntPredicate wanted) {
    RoaringBitmap rows = new RoaringBitmap();
    for (int row = 0; row < column.rowCount(); row++) {
      if (wanted.test(column.rankAt(row))) {
        rows.add(row);
      }
    }
    return RoaringFormat.write(rows);
  }
}
