package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.io.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files of a bucket while it is changed; in the end the difference to its snapshot is the
 * {@link BucketChange}. Not thread-safe.
 */
final class BucketEdit {

  private final Storage storage;
  private final BucketState base;
  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final Set<String> created = new HashSet<>();
  private long rowsWritten;
  private long rowsPurged;
  private long bytesRead;

  BucketEdit(Storage storage, BucketState base) {
    this.storage = storage;
    this.base = base;
    base.files().forEach(f -> files.put(f.name(), f));
  }

  /** The files as they are by now. */
  List<DataFile> files() {
    return List.copyOf(files.values());
  }

  /** Takes in a file that was just written. */
  void create(DataFile file) {
    files.put(file.name(), file);
    created.add(file.name());
    rowsWritten += file.rowCount();
  }

  /** Gives a file another level; the file itself stays as it is. */
  void move(DataFile file, int level) {
    files.put(file.name(), file.atLevel(level));
  }

  /** Takes a file out; one that this edit created is deleted at once, since nobody has seen it. */
  void remove(DataFile file) throws IOException {
    files.remove(file.name());
    if (created.remove(file.name())) {
      rowsWritten -= file.rowCount();
      delete(file);
    }
  }

  /** Counts the input of a rewrite, and the rows of it that were not written again. */
  void rewrote(long inputBytes, long purgedRows) {
    bytesRead += inputBytes;
    rowsPurged += purgedRows;
  }

  /** Deletes all files that this edit created. */
  void undo() throws IOException {
    for (String name : created) {
      delete(files.get(name));
    }
    created.clear();
  }

  private void delete(DataFile file) throws IOException {
    for (String path : file.allPaths(base.directory())) {
      storage.delete(path);
    }
  }

  /**
   * The difference to the snapshot.
   *
   * @param deletions the new deletion file, null if the bitmaps stay
   * @param removedDeletions names of deletion files of an unaware bucket that it replaces
   * @param struckOut rows newly struck out
   * @param logical whether rows of the table changed
   */
  BucketChange change(
      DeletionFile deletions,
      List<String> removedDeletions,
      long struckOut,
      boolean logical,
      int totalBuckets) {
    Set<DataFile> before = new HashSet<>(base.files());
    Set<DataFile> after = new HashSet<>(files.values());
    List<DataFile> removed = base.files().stream().filter(f -> !after.contains(f)).toList();
    List<DataFile> added = files.values().stream().filter(f -> !before.contains(f)).toList();
    List<String> written = new ArrayList<>();
    created.forEach(name -> written.addAll(files.get(name).allPaths(base.directory())));
    return new BucketChange(
        base.id(),
        totalBuckets,
        removed,
        added,
        written,
        deletions,
        removedDeletions,
        logical,
        new BucketChange.Report(rowsWritten, struckOut, rowsPurged, bytesRead));
  }
}
