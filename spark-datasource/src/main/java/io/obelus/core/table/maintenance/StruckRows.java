package io.obelus.core.table.maintenance;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.StrikeOut;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.position.Positions;
import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Rows of a table without a key that a statement strikes out, by their places: what its tasks find
 * is put together and becomes bitmaps in the end. Memory: compressed bitmaps, 2 bytes a row at
 * worst. Not thread-safe.
 */
public final class StruckRows implements Serializable {

  private static final long serialVersionUID = 1;

  /** By the path of the data file. */
  private final Map<String, Positions> files = new HashMap<>();

  /** Whether new rows take the place of some: then none may be struck out twice. */
  private boolean replaces;

  private transient UTF8String lastPath;
  private transient Positions last;

  /**
   * Strikes out a row.
   *
   * @param path of its file; may be reused by the caller
   * @param replaced whether a new row takes its place
   * @throws IllegalArgumentException if one that is replaced was struck out before: it would be
   *     there twice
   */
  public void add(UTF8String path, long position, boolean replaced) {
    if (!path.equals(lastPath)) {
      lastPath = path.clone();
      last = files.computeIfAbsent(path.toString(), file -> new Positions());
    }
    replaces |= replaced;
    if (!last.add(position) && replaces) {
      throw twice();
    }
  }

  /** Adds what another task struck out; throws as {@link #add} does. */
  public void addAll(StruckRows others) {
    replaces |= others.replaces;
    others.files.forEach(
        (path, positions) -> {
          Positions all = files.computeIfAbsent(path, file -> new Positions());
          long expected = all.cardinality() + positions.cardinality();
          all.addAll(positions);
          if (replaces && all.cardinality() != expected) {
            throw twice();
          }
        });
  }

  private static IllegalArgumentException twice() {
    return new IllegalArgumentException(
        "the statement changes a row of the table twice, so that it is not said which of the two is"
            + " to stay: a MERGE may find one source row at most for each row of the table");
  }

  /**
   * Writes the bitmaps, each joined with the one that the file has.
   *
   * @param base snapshot that the rows were read from
   * @return changes to be committed together with the new rows; if it fails, nothing is left behind
   */
  public List<BucketChange> changes(Table table, Snapshot base) throws IOException {
    List<BucketChange> changes = new ArrayList<>();
    if (files.isEmpty()) {
      return changes;
    }
    try {
      StrikeOut strikeOut =
          new StrikeOut(TableBuckets.files(table, DataFiles.BatchSettings.DEFAULT));
      int found = 0;
      for (BucketState bucket : new LiveFiles(table, base).buckets(id -> true)) {
        Map<DataFile, Positions> rows = in(bucket);
        if (!rows.isEmpty()) {
          changes.add(strikeOut.run(bucket, rows));
        }
        found += rows.size();
      }
      if (found != files.size()) {
        throw new IllegalStateException(
            table.name()
                + ": rows were to be struck out in files that are not in the snapshot that was read."
                + " Nothing was committed; please report it with this message.");
      }
      return changes;
    } catch (IOException | RuntimeException e) {
      new Commit(table, base).abort(changes);
      throw e;
    }
  }

  private Map<DataFile, Positions> in(BucketState bucket) {
    Map<DataFile, Positions> rows = new HashMap<>();
    for (DataFile file : bucket.files()) {
      Positions positions = files.get(file.path(bucket.directory()));
      if (positions != null) {
        rows.put(file, positions);
      }
    }
    return rows;
  }
}
