package io.obelus.core.bucket;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Takes the rows of one write for one bucket, in key order, and makes the bucket's change of them:
 * merged runs at their level, bitmaps of the rows they replace, compaction where there are too many
 * runs. Not thread-safe.
 */
public interface BucketWriter extends Closeable {

  /**
   * Adds a row. In a keyed bucket rows come in ascending order of the trimmed key; rows of one key
   * in the order in which they were given, so that the later one wins where no sequence field
   * decides.
   *
   * @param row all columns of the table; may be reused by the caller
   * @param kind code of a {@link io.obelus.core.row.RowKind}
   */
  void write(InternalRow row, byte kind) throws IOException;

  /**
   * As {@link #write}, for a row made from the stored one: it wins whatever the sequence fields
   * say.
   *
   * @throws IllegalArgumentException where that cannot be expressed: sequence fields without
   *     deletion bitmaps
   */
  void overrule(InternalRow row, byte kind) throws IOException;

  /** Writes what is left and says what changed. To be called once. */
  BucketChange finish() throws IOException;

  /** Without {@link #finish} before: deletes whatever was written. */
  @Override
  void close() throws IOException;
}
