package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.file.position.Positions;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Strikes out rows of an append bucket by their places: sets bits in the deletion bitmaps of their
 * files. A file with no row left is taken out of the bucket. Thread-safe.
 *
 * @param files with a coding for bitmaps
 */
public record StrikeOut(BucketFiles files) implements Serializable {

  public StrikeOut {
    if (files.deletionCoding() == null) {
      throw new IllegalArgumentException(
          "rows can be struck out only where the table's option 'deletion-vectors.enabled' is true");
    }
  }

  /**
   * Does it.
   *
   * @param bucket as it is at the snapshot that the rows were read from
   * @param rows live rows of some of its data files
   * @throws IllegalStateException if one of them is struck out already, or is not there
   */
  public BucketChange run(BucketState bucket, Map<DataFile, Positions> rows) throws IOException {
    AppendDeletions deletions = AppendDeletions.of(files, bucket, rows.keySet());
    BucketDeletions bitmaps = deletions.bitmaps();
    List<DataFile> emptied = new ArrayList<>();
    for (Map.Entry<DataFile, Positions> entry : rows.entrySet()) {
      DataFile file = entry.getKey();
      Positions positions = entry.getValue();
      long before = bitmaps.count(file);
      positions.forEach(position -> bitmaps.strikeOut(file, position));
      long after = bitmaps.count(file);
      boolean beyond = !positions.isEmpty() && positions.max() >= file.rowCount();
      if (beyond || after != before + positions.cardinality()) {
        throw new IllegalStateException(
            file.path(bucket.directory())
                + ": rows were to be struck out that are not live. Nothing was committed; please"
                + " report it with this message.");
      }
      if (after == file.rowCount()) {
        emptied.add(file);
        bitmaps.drop(file);
      }
    }
    DeletionFile written = deletions.write();
    return new BucketChange(
        bucket.id(),
        bucket.totalBuckets(),
        emptied,
        List.of(),
        List.of(),
        written,
        deletions.replaced(),
        true,
        new BucketChange.Report(0, bitmaps.struckOut(), 0, 0));
  }
}
