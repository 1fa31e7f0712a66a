package io.obelus.core.file.index.bitmap;

import io.obelus.core.file.index.key.SortedColumn;
import java.nio.ByteBuffer;

/** Writes version 1. */
final class EncoderV1 {

  private final SortedColumn column;

  EncoderV1(SortedColumn column) {
    this.column = column;
  }

  byte[] encode() {
    BodyWriter body = new BodyWriter(column);
    int size = 1 + 4 + 4 + 1 + (body.hasNull() ? Integer.BYTES : 0);
    for (int rank = 0; rank < column.keyCount(); rank++) {
      size = Math.addExact(size, column.keyBytes(rank) + Integer.BYTES);
    }
    ByteBuffer head = ByteBuffer.allocate(size);
    head.put((byte) BitmapFormat.V1).putInt(column.rowCount()).putInt(column.keyCount());
    if (body.hasNull()) {
      head.put((byte) 1).putInt(body.append(-1));
    } else {
      head.put((byte) 0);
    }
    for (int rank = 0; rank < column.keyCount(); rank++) {
      column.writeKey(rank, head);
      head.putInt(body.append(rank));
    }
    byte[] bitmaps = body.toBytes();
    return ByteBuffer.allocate(Math.addExact(size, bitmaps.length))
        .put(head.array())
        .put(bitmaps)
        .array();
  }
}
