package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The deletion bitmaps of one bucket while it is written: as the snapshot has them, plus what this
 * write strikes out, minus those of files that go. Not thread-safe.
 *
 * <p>Memory: the bitmaps, compressed; 2 bytes a struck-out row at worst.
 */
final class BucketDeletions {

  private final BucketFiles files;
  private final SortedMap<String, Positions> bitmaps = new TreeMap<>();
  private final boolean replacesFile;
  private boolean changed;
  private long struckOut;

  private BucketDeletions(BucketFiles files, boolean replacesFile) {
    this.files = files;
    this.replacesFile = replacesFile;
  }

  /**
   * The bitmaps that the bucket has at its snapshot. Ranges of files that are gone are left behind.
   */
  static BucketDeletions of(BucketFiles files, BucketState bucket) throws IOException {
    BucketDeletions deletions = new BucketDeletions(files, !bucket.deletions().isEmpty());
    Map<String, DataFile> live =
        bucket.files().stream().collect(Collectors.toMap(DataFile::name, f -> f));
    Set<String> seen = new HashSet<>();
    for (DeletionFile file : bucket.deletions()) {
      for (Map.Entry<String, Positions> entry : files.deletionFiles().read(file).entrySet()) {
        DataFile dataFile = live.get(entry.getKey());
        if (dataFile == null) {
          deletions.changed = true;
        } else if (seen.add(dataFile.name())) {
          check(file, dataFile, entry.getValue());
          deletions.bitmaps.put(dataFile.name(), entry.getValue());
        } else {
          throw new CorruptFileException(
              Place.startOf(file.name()),
              "data file " + dataFile.name() + " has a second deletion bitmap");
        }
      }
    }
    return deletions;
  }

  /** The rows of a file that are live so far; later strokes do not show in it. */
  RowSelection live(DataFile file) {
    RowSelection all = RowSelection.all(file.rowCount());
    Positions deleted = bitmaps.get(file.name());
    return deleted == null ? all : all.without(deleted.copy());
  }

  boolean has(DataFile file) {
    Positions deleted = bitmaps.get(file.name());
    return deleted != null && !deleted.isEmpty();
  }

  /** Number of struck-out rows of a file. */
  long count(DataFile file) {
    Positions deleted = bitmaps.get(file.name());
    return deleted == null ? 0 : deleted.cardinality();
  }

  /** Strikes out one row. */
  void strikeOut(DataFile file, long position) {
    if (bitmaps.computeIfAbsent(file.name(), name -> new Positions()).add(position)) {
      struckOut++;
      changed = true;
    }
  }

  /** Forgets the bitmap of a file that is no longer part of the bucket. */
  void drop(DataFile file) {
    if (bitmaps.remove(file.name()) != null) {
      changed = true;
    }
  }

  /** Whether no row of the bucket is struck out. */
  boolean isEmpty() {
    return bitmaps.values().stream().allMatch(Positions::isEmpty);
  }

  /** Rows newly struck out. */
  long struckOut() {
    return struckOut;
  }

  /** Writes the bitmaps anew; null if they are as the snapshot has them. */
  DeletionFile write() throws IOException {
    bitmaps.values().removeIf(Positions::isEmpty);
    if (!changed || (bitmaps.isEmpty() && !replacesFile)) {
      return null;
    }
    return files
        .deletionFiles()
        .write("index-" + UUID.randomUUID() + "-0", files.deletionCoding(), bitmaps);
  }

  private static void check(DeletionFile file, DataFile dataFile, Positions deleted) {
    if (!deleted.isEmpty() && deleted.max() >= dataFile.rowCount()) {
      throw new CorruptFileException(
          Place.startOf(file.name()),
          "largest position in the deletion bitmap of " + dataFile.name(),
          "below its row count " + dataFile.rowCount(),
          deleted.max());
    }
  }
}
