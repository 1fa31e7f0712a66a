package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.SortedColumn;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Writes the dictionary of a range bitmap. */
final class DictionaryEncoder {

  private final SortedColumn column;
  private final int keySize; // 0 for texts
  private final int chunkSize;

  /** The ranks {@code [from, to)}; the keys behind the first take {@code bytes} bytes. */
  private record Chunk(int from, int to, int bytes) {
    int further() {
      return to - from - 1;
    }
  }

  DictionaryEncoder(SortedColumn column, int keySize, int chunkSize) {
    this.column = column;
    this.keySize = keySize;
    this.chunkSize = chunkSize;
  }

  byte[] encode() {
    List<Chunk> chunks = chunks();
    int heads = 0;
    int further = 0;
    for (Chunk chunk : chunks) {
      heads = Math.addExact(heads, headBytes(chunk));
      further = Math.addExact(further, furtherBytes(chunk));
    }
    int offsets = Integer.BYTES * chunks.size();
    int size = Integer.BYTES + RangeBitmapFormat.DICTIONARY_HEAD + offsets;
    ByteBuffer out = ByteBuffer.allocate(Math.addExact(size, Math.addExact(heads, further)));
    out.putInt(RangeBitmapFormat.DICTIONARY_HEAD)
        .put((byte) RangeBitmapFormat.V1)
        .putInt(chunks.size())
        .putInt(offsets)
        .putInt(heads);
    int at = 0;
    for (Chunk chunk : chunks) {
      out.putInt(at);
      at += headBytes(chunk);
    }
    int start = 0;
    for (Chunk chunk : chunks) {
      writeHead(chunk, start, out);
      start += furtherBytes(chunk);
    }
    chunks.forEach(chunk -> writeFurther(chunk, out));
    return out.array();
  }

  private int headBytes(Chunk chunk) {
    return 1 + column.keyBytes(chunk.from) + 5 * Integer.BYTES;
  }

  private int furtherBytes(Chunk chunk) {
    return chunk.bytes + (keySize == 0 ? Integer.BYTES * chunk.further() : 0);
  }

  private void writeHead(Chunk chunk, int start, ByteBuffer out) {
    out.put((byte) RangeBitmapFormat.V1);
    column.writeKey(chunk.from, out);
    out.putInt(chunk.from).putInt(start).putInt(chunk.further());
    if (keySize == 0) {
      out.putInt(Integer.BYTES * chunk.further()).putInt(chunk.bytes);
    } else {
      out.putInt(chunk.bytes).putInt(keySize);
    }
  }

  private void writeFurther(Chunk chunk, ByteBuffer out) {
    if (keySize == 0) {
      int offset = 0;
      for (int rank = chunk.from + 1; rank < chunk.to; rank++) {
        out.putInt(offset);
        offset += column.keyBytes(rank);
      }
    }
    for (int rank = chunk.from + 1; rank < chunk.to; rank++) {
      column.writeKey(rank, out);
    }
  }

  /**
   * Keys join the chunk while they, without its first, fit; the offsets of texts do by themselves.
   */
  private List<Chunk> chunks() {
    List<Chunk> chunks = new ArrayList<>();
    int from = 0;
    int bytes = 0;
    for (int rank = 1; rank <= column.keyCount(); rank++) {
      boolean fits =
          rank < column.keyCount()
              && (long) bytes + column.keyBytes(rank) <= chunkSize
              && (keySize > 0 || (long) Integer.BYTES * (rank - from) <= chunkSize);
      if (fits) {
        bytes += column.keyBytes(rank);
      } else {
        chunks.add(new Chunk(from, rank, bytes));
        from = rank;
        bytes = 0;
      }
    }
    return chunks;
  }
}
