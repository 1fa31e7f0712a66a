package io.obelus.core.file.index.bloom;

import io.obelus.core.file.index.kind.IndexWriter;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Fills a filter whose size was chosen beforehand, whatever comes. */
final class FixedFilterWriter implements IndexWriter {

  private final ValueHash hash;
  private final BloomFormat.Builder filter;

  FixedFilterWriter(ValueHash hash, BloomFormat.Size size) {
    this.hash = hash;
    this.filter = new BloomFormat.Builder(size);
  }

  @Override
  public void add(SpecializedGetters values, int ordinal) {
    if (!values.isNullAt(ordinal)) {
      filter.add(hash.of(values, ordinal));
    }
  }

  @Override
  public void addNull() {}

  @Override
  public long memory() {
    return filter.payload().length;
  }

  @Override
  public byte[] finish() {
    return filter.payload();
  }
}
