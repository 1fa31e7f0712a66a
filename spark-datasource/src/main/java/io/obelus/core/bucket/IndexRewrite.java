package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * Gives the data files of a bucket the indexes that new files get, where they have others. The data
 * files stay as they are; only columns that get an index are read. Thread-safe.
 *
 * @param files with the indexes that are wanted
 * @param row columns of the table
 * @param anew whether files that have them get them once more: what they say may be wrong
 */
public record IndexRewrite(BucketFiles files, RowType row, boolean anew) implements Serializable {

  /**
   * What became of a bucket.
   *
   * @param change never logical; empty after a dry run
   * @param files number of data files that got other indexes, or would
   * @param bytesBefore of the indexes of all its files, in bytes; one that cannot be read counts
   *     nothing
   * @param bytesAfter the same afterwards; null after a dry run
   * @param added what at least one file gained, or would: {@code "city: bitmap"}, by the name that
   *     the column has in the file
   * @param removed what at least one file lost, or would
   */
  public record Result(
      BucketChange change,
      long files,
      long bytesBefore,
      Long bytesAfter,
      List<String> added,
      List<String> removed)
      implements Serializable {
    public Result {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  /**
   * Does it. A file is left alone if it has the wanted indexes already, by column and kind, unless
   * all are made {@link #anew}; one that cannot be read is made anew in any case.
   *
   * @param dryRun only say what would be done
   * @throws io.obelus.core.io.CorruptFileException if a data file is damaged; nothing is left
   *     behind then
   */
  public Result run(BucketState bucket, boolean dryRun) throws IOException {
    BucketIndexes indexes = new BucketIndexes(this, bucket);
    try {
      for (DataFile file : bucket.files()) {
        indexes.settle(file, dryRun);
      }
      return indexes.result(dryRun);
    } catch (IOException | RuntimeException e) {
      indexes.undo();
      throw e;
    }
  }
}
