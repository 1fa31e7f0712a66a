package io.obelus.core.file.index.bloom;

import io.obelus.core.file.index.bloom.BloomFormat.Size;
import io.obelus.core.file.index.kind.IndexWriter;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/**
 * Keeps the hashes of the different values, 11 to 22 bytes each, and makes a filter just large
 * enough for them. Gives up, by its memory, at more than {@link DistinctHashes#MOST} of them or
 * where the filter would have 2^31 bits.
 */
final class FittingFilterWriter implements IndexWriter {

  private final ValueHash hash;
  private final double fpp;
  private final DistinctHashes hashes = new DistinctHashes();
  private boolean impossible; // too many different values

  FittingFilterWriter(ValueHash hash, double fpp) {
    this.hash = hash;
    this.fpp = fpp;
  }

  @Override
  public void add(SpecializedGetters values, int ordinal) {
    if (!values.isNullAt(ordinal) && !hashes.add(hash.of(values, ordinal))) {
      impossible = true;
    }
  }

  @Override
  public void addNull() {}

  @Override
  public long memory() {
    Size size = size();
    return size == null ? Long.MAX_VALUE : hashes.memory() + size.bytes();
  }

  /** The size that the values so far need; null if there are too many. */
  private Size size() {
    return impossible ? null : Size.of(Math.max(1, hashes.size()), fpp);
  }

  /** The payload; IllegalStateException if there were too many values. */
  @Override
  public byte[] finish() {
    Size size = size();
    if (size == null) {
      throw new IllegalStateException(
          "%d different values are too many for a bloom filter with fpp %s"
              .formatted(hashes.size(), fpp));
    }
    BloomFormat.Builder filter = new BloomFormat.Builder(size);
    hashes.forEach(filter::add);
    return filter.payload();
  }
}
