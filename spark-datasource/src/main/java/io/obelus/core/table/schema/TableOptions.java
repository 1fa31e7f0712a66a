package io.obelus.core.table.schema;

import io.obelus.core.file.data.DataFileSettings;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.row.BucketFunction;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * The meaning of a table's options (spec chapter 15): typed, with defaults. Read at the edge, so
 * that what is below takes just the values it needs. Every accessor refuses a value it cannot read
 * with an IllegalArgumentException that names option, value and what is allowed.
 */
public record TableOptions(TableSchema schema) implements Serializable {

  /**
   * Refuses what this release cannot do, by name: unknown merge engine, dynamic or postpone
   * buckets, a changelog producer, both kinds of deletion bitmaps at once, and so on. For a reader,
   * only what would make its answer wrong.
   */
  public void checkReadable() {
    throw new UnsupportedOperationException("to be written");
  }

  /** As {@link #checkReadable}, for a writer. */
  public void checkWritable() {
    throw new UnsupportedOperationException("to be written");
  }

  /** Number of buckets; -1 = unaware (append) or dynamic (keyed). */
  public int bucket() {
    throw new UnsupportedOperationException("to be written");
  }

  /** Columns of the bucket key: option {@code bucket-key}, else the trimmed primary key. */
  public List<String> bucketKeys() {
    throw new UnsupportedOperationException("to be written");
  }

  public BucketFunction.Type bucketFunction() {
    throw new UnsupportedOperationException("to be written");
  }

  /** How deletion bitmaps are kept; empty for a merge-on-read table. */
  public Optional<DeletionCoding> deletionCoding() {
    throw new UnsupportedOperationException("to be written");
  }

  public List<String> sequenceFields() {
    throw new UnsupportedOperationException("to be written");
  }

  public boolean sequenceDescending() {
    throw new UnsupportedOperationException("to be written");
  }

  public boolean ignoreDelete() {
    throw new UnsupportedOperationException("to be written");
  }

  /** Column that holds the kind of each row ({@code rowkind.field}). */
  public Optional<String> rowKindField() {
    throw new UnsupportedOperationException("to be written");
  }

  public boolean writeOnly() {
    throw new UnsupportedOperationException("to be written");
  }

  public DataFileSettings dataFileSettings() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code num-sorted-run.compaction-trigger}. */
  public int compactionTrigger() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code num-levels}. */
  public int levels() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code compaction.size-ratio}, percent. */
  public int sizeRatio() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code compaction.max-size-amplification-percent}. */
  public int maxSizeAmplification() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code source.split.target-size}, bytes. */
  public long splitTargetSize() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code source.split.open-file-cost}, bytes. */
  public long splitOpenFileCost() {
    throw new UnsupportedOperationException("to be written");
  }

  public long manifestTargetSize() {
    throw new UnsupportedOperationException("to be written");
  }

  public int manifestMergeMinCount() {
    throw new UnsupportedOperationException("to be written");
  }

  public long manifestFullCompactionThreshold() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code partition.default-name}. */
  public String partitionDefaultName() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code partition.legacy-name}. */
  public boolean partitionLegacyName() {
    throw new UnsupportedOperationException("to be written");
  }

  public int commitMaxRetries() {
    throw new UnsupportedOperationException("to be written");
  }

  public boolean dynamicPartitionOverwrite() {
    throw new UnsupportedOperationException("to be written");
  }

  /** {@code commit.user-prefix}, empty if none. */
  public String commitUserPrefix() {
    throw new UnsupportedOperationException("to be written");
  }
}
