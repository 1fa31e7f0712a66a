package io.obelus.core.bucket.merge;

/** The newest record of a key is the result: merge engine {@code deduplicate}. */
public final class Deduplicate implements MergeEngine {

  private static final long serialVersionUID = 1;

  @Override
  public KeyedRecord merge(KeyedRecord[] records, int count) {
    return records[count - 1];
  }
}
