package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.KeyCoding;
import io.obelus.core.file.index.key.KeyColumn;
import io.obelus.core.file.index.key.SortedColumn;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.row.ColumnType;
import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Collects a column, then writes its dictionary and its slices. */
final class RangeBitmapWriter implements IndexWriter {

  private final KeyColumn column;
  private final int keySize;
  private final int chunkSize;

  RangeBitmapWriter(ColumnType type, int chunkSize) {
    this.column = new KeyColumn(type);
    this.keySize = KeyCoding.of(type).fixedSize();
    this.chunkSize = chunkSize;
  }

  @Override
  public void add(SpecializedGetters values, int ordinal) {
    column.add(values, ordinal);
  }

  @Override
  public void addNull() {
    column.addNull();
  }

  @Override
  public long memory() {
    return column.memory();
  }

  @Override
  public byte[] finish() {
    SortedColumn sorted = column.sort();
    byte[] dictionary = new DictionaryEncoder(sorted, keySize, chunkSize).encode();
    byte[] slices = new SliceEncoder(sorted).encode();
    int keys = sorted.keyCount();
    int head = 1 + 4 + 4 + (keys == 0 ? 0 : sorted.keyBytes(0) + sorted.keyBytes(keys - 1)) + 4;
    ByteBuffer out =
        ByteBuffer.allocate(
            Math.addExact(Integer.BYTES + head, Math.addExact(dictionary.length, slices.length)));
    out.putInt(head).put((byte) RangeBitmapFormat.V1).putInt(sorted.rowCount()).putInt(keys);
    if (keys > 0) {
      sorted.writeKey(0, out);
      sorted.writeKey(keys - 1, out);
    }
    return out.putInt(dictionary.length).put(dictionary).put(slices).array();
  }
}
