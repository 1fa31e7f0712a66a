package io.obelus.core.file.index.bitmap;

import io.obelus.core.file.index.key.SortedColumn;
import io.obelus.core.file.position.RoaringFormat;
import java.io.ByteArrayOutputStream;
import org.roaringbitmap.RoaringBitmap;

/** The bitmaps of an index that is being written: nulls first, then by rank of the value. */
final class BodyWriter {

  private final int[] rows; // by rank, nulls first, ascending
  private final int[] ends; // by 1 + rank, in rows
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  BodyWriter(SortedColumn column) {
    int[] starts = new int[column.keyCount() + 2];
    for (int row = 0; row < column.rowCount(); row++) {
      starts[column.rankAt(row) + 2]++;
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    rows = new int[column.rowCount()];
    for (int row = 0; row < rows.length; row++) {
      rows[starts[column.rankAt(row) + 1]++] = row;
    }
    ends = starts; // each start has moved to its end
  }

  boolean hasNull() {
    return ends[0] > 0;
  }

  /** Appends the bitmap of a value, -1 for null, and returns its offset or its only row. */
  int append(int rank) {
    int from = rank < 0 ? 0 : ends[rank];
    int to = ends[rank + 1];
    if (to - from == 1) {
      return BitmapFormat.oneRow(rows[from]);
    }
    RoaringBitmap bitmap = new RoaringBitmap();
    for (int i = from; i < to; i++) {
      bitmap.add(rows[i]);
    }
    int offset = bytes.size();
    bytes.writeBytes(RoaringFormat.write(bitmap));
    return offset;
  }

  /** Bytes appended so far. */
  int size() {
    return bytes.size();
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
