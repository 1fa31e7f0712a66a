package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.SortedFileCursor;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Looks keys up in the sorted runs of a bucket, in ascending order of the keys: files and pages
 * that cannot hold them are not read. Memory: a batch for each run. Not thread-safe.
 */
public final class BucketProbe implements Closeable {

  /** Opens a data file, narrowed to its live rows, with the key columns first. */
  @FunctionalInterface
  public interface Opener {
    SortedFileCursor open(DataFile file) throws IOException;
  }

  private final List<RunProbe> runs;
  private RunProbe found;

  /**
   * Prepares to look; files are opened when a key may be in them.
   *
   * @param keyType row type of the trimmed primary key
   * @param files in which each key has at most one live row
   */
  public BucketProbe(RowType keyType, List<DataFile> files, Opener opener) {
    SortedRuns sortedRuns = new SortedRuns(keyType);
    RowComparator order = RowComparator.of(keyType);
    runs =
        sortedRuns.of(files).stream()
            .map(run -> new RunProbe(run.files(), sortedRuns, order, opener))
            .toList();
  }

  /** Whether there is a live row of this key; {@code key} is not below the one sought before. */
  public boolean find(InternalRow key) throws IOException {
    for (RunProbe run : runs) {
      if (run.find(key)) {
        found = run;
        return true;
      }
    }
    return false;
  }

  /**
   * The row found: key columns, then those asked for with them; valid until the next key is sought.
   */
  public InternalRow row() {
    return found.row();
  }

  /** The data file of the row found. */
  public DataFile file() {
    return found.file();
  }

  /** Position of the row found, in {@link #file}. */
  public long position() {
    return found.position();
  }

  @Override
  public void close() throws IOException {
    for (RunProbe run : runs) {
      run.close();
    }
  }
}
