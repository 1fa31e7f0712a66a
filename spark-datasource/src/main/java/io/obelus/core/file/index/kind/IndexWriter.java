package io.obelus.core.file.index.kind;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Collects the values of one column of one data file in a single pass. Not thread-safe. */
public interface IndexWriter {

  /**
   * Takes the value of the next row, null or not; row 0 is the first.
   *
   * @param values a row, or the values of a map; may be reused by the caller
   * @param ordinal where in it the value is
   */
  void add(SpecializedGetters values, int ordinal);

  /** Takes a null for the next row. */
  void addNull();

  /**
   * Bytes of memory held by now, roughly. The caller asks from time to time and gives the index up
   * where it becomes too much, or once it is Long.MAX_VALUE: then a value was met that this kind of
   * index cannot hold.
   */
  long memory();

  /** The payload; nothing may be added afterwards. */
  byte[] finish();
}
