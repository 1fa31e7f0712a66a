package io.obelus.core.file.index.bitmap;

import io.obelus.core.file.index.key.KeyColumn;
import io.obelus.core.file.index.key.SortedColumn;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.row.ColumnType;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Collects a column, then writes it in one of the versions. */
final class BitmapWriter implements IndexWriter {

  private final KeyColumn column;
  private final Function<SortedColumn, byte[]> encoder;

  BitmapWriter(ColumnType type, Function<SortedColumn, byte[]> encoder) {
    this.column = new KeyColumn(type);
    this.encoder = encoder;
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
    return encoder.apply(column.sort());
  }
}
