package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.SortedFileCursor;
import io.obelus.core.row.RowComparator;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Looks keys up in one sorted run, in ascending order of the keys: files and pages that cannot hold
 * them are not read. Not thread-safe.
 */
final class RunProbe implements Closeable {

  private final List<DataFile> files;
  private final List<InternalRow> minKeys;
  private final List<InternalRow> maxKeys;
  private final RowComparator order;
  private final BucketProbe.Opener opener;
  private SortedFileCursor cursor;
  private int at;

  /**
   * @param files of the run, in key order
   * @param order of rows whose first columns are the key
   */
  RunProbe(List<DataFile> files, SortedRuns keys, RowComparator order, BucketProbe.Opener opener) {
    this.files = files;
    this.minKeys = files.stream().map(keys::minKey).toList();
    this.maxKeys = files.stream().map(keys::maxKey).toList();
    this.order = order;
    this.opener = opener;
  }

  /** Whether the run has a live row of this key; {@code key} is not below the one sought before. */
  boolean find(InternalRow key) throws IOException {
    while (at < files.size() && order.compare(maxKeys.get(at), key) < 0) {
      close();
      at++;
    }
    if (at == files.size() || order.compare(minKeys.get(at), key) > 0) {
      return false;
    }
    if (cursor == null) {
      cursor = opener.open(files.get(at));
    }
    return cursor.seek(key) && order.compare(cursor.row(), key) == 0;
  }

  /** The row found: key columns, then those asked for with them. */
  InternalRow row() {
    return cursor.row();
  }

  DataFile file() {
    return files.get(at);
  }

  /** Position of the row found, in {@link #file}. */
  long position() {
    return cursor.position();
  }

  @Override
  public void close() throws IOException {
    if (cursor != null) {
      SortedFileCursor closing = cursor;
      cursor = null;
      closing.close();
    }
  }
}
