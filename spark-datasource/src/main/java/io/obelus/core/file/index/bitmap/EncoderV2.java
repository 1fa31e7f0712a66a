package io.obelus.core.file.index.bitmap;

import static io.obelus.core.file.index.bitmap.BitmapFormat.ENTRY_BYTES;

import io.obelus.core.file.index.key.SortedColumn;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Writes version 2. */
final class EncoderV2 {

  private final SortedColumn column;
  private final int blockSize;

  /** The ranks {@code [from, to)} in {@code bytes} bytes. */
  private record Block(int from, int to, int bytes) {}

  EncoderV2(SortedColumn column, int blockSize) {
    this.column = column;
    this.blockSize = blockSize;
  }

  byte[] encode() {
    BodyWriter body = new BodyWriter(column);
    List<Block> blocks = blocks();
    int dictionary = 0;
    int directory = 0;
    for (Block block : blocks) {
      dictionary = Math.addExact(dictionary, block.bytes);
      directory = Math.addExact(directory, column.keyBytes(block.from) + Integer.BYTES);
    }
    int fixed = 1 + 4 + 4 + 1 + (body.hasNull() ? ENTRY_BYTES : 0) + 4 + 4;
    ByteBuffer head =
        ByteBuffer.allocate(Math.addExact(fixed, Math.addExact(directory, dictionary)));
    head.put((byte) BitmapFormat.V2).putInt(column.rowCount()).putInt(column.keyCount());
    if (body.hasNull()) {
      head.put((byte) 1);
      writeEntry(-1, BitmapFormat.ONE_ROW_BYTES, body, head);
    } else {
      head.put((byte) 0);
    }
    head.putInt(blocks.size());
    int offset = 0;
    for (Block block : blocks) {
      column.writeKey(block.from, head);
      head.putInt(offset);
      offset += block.bytes;
    }
    head.putInt(dictionary);
    for (Block block : blocks) {
      head.putInt(block.to - block.from);
      for (int rank = block.from; rank < block.to; rank++) {
        column.writeKey(rank, head);
        writeEntry(rank, BitmapFormat.NO_LENGTH, body, head);
      }
    }
    byte[] bitmaps = body.toBytes();
    return ByteBuffer.allocate(Math.addExact(head.capacity(), bitmaps.length))
        .put(head.array())
        .put(bitmaps)
        .array();
  }

  private static void writeEntry(int rank, int lengthOfOneRow, BodyWriter body, ByteBuffer head) {
    int before = body.size();
    int offset = body.append(rank);
    head.putInt(offset).putInt(offset < 0 ? lengthOfOneRow : body.size() - before);
  }

  /** As many entries in each as there is room for; one that is larger has a block of its own. */
  private List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    int from = 0;
    long bytes = Integer.BYTES;
    for (int rank = 0; rank < column.keyCount(); rank++) {
      int entry = column.keyBytes(rank) + ENTRY_BYTES;
      if (rank > from && bytes + entry > blockSize) {
        blocks.add(new Block(from, rank, Math.toIntExact(bytes)));
        from = rank;
        bytes = Integer.BYTES;
      }
      bytes += entry;
    }
    if (from < column.keyCount()) {
      blocks.add(new Block(from, column.keyCount(), Math.toIntExact(bytes)));
    }
    return blocks;
  }
}
