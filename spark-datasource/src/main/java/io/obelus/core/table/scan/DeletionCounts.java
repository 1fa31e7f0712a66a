package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.file.deletion.DeletionFiles;
import io.obelus.core.file.position.Positions;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * How many rows of each data file of a bucket are struck out, and in which deletion file it says
 * so. From the index manifest where cardinalities are recorded; else the deletion file is read.
 */
public final class DeletionCounts {

  private final Map<String, DeletionFile> where = new HashMap<>();
  private final Map<String, Long> counts = new HashMap<>();

  public DeletionCounts(DeletionFiles files, BucketState bucket) throws IOException {
    for (DeletionFile file : bucket.deletions()) {
      if (file.deleteMap() || file.ranges().stream().anyMatch(r -> r.cardinality() == null)) {
        for (Map.Entry<String, Positions> bitmap : files.read(file).entrySet()) {
          add(file, bitmap.getKey(), bitmap.getValue().cardinality());
        }
      } else {
        file.ranges().forEach(r -> add(file, r.dataFile(), r.cardinality()));
      }
    }
  }

  /** The deletion file with the bitmap of a data file; null if no row of it is struck out. */
  public DeletionFile deletions(DataFile file) {
    return where.get(file.name());
  }

  /** Number of struck-out rows. */
  public long count(DataFile file) {
    return counts.getOrDefault(file.name(), 0L);
  }

  private void add(DeletionFile file, String dataFile, long count) {
    where.put(dataFile, file);
    counts.put(dataFile, count);
  }
}
