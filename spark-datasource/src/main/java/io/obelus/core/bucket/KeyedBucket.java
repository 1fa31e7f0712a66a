package io.obelus.core.bucket;

import io.obelus.core.bucket.merge.MergeEngine;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileColumns;
import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.DataFileWriter;
import io.obelus.core.file.index.FileIndexSettings;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What all work on the buckets of a keyed table has in common: the shape of its rows, its merge
 * engine, where its files are. Thread-safe.
 */
public record KeyedBucket(BucketFiles files, RowShape shape, MergeEngine engine)
    implements Serializable {

  /** The same, with these indexes in new files. */
  public KeyedBucket withIndexes(FileIndexSettings indexes) {
    return new KeyedBucket(files.withIndexes(indexes), shape, engine);
  }

  SortedRuns sortedRuns() {
    return new SortedRuns(shape.keyType());
  }

  /** {@code columns} with sequence number and kind behind them, as {@link RunCursor} wants them. */
  public static RowType withSystemColumns(RowType columns) {
    List<Column> all = new ArrayList<>(columns.columns());
    all.add(DataFileColumns.SEQUENCE);
    all.add(DataFileColumns.KIND);
    return new RowType(all);
  }

  /**
   * Merges the runs of a section.
   *
   * @param columns to return, key and sequence fields among them; {@link #withSystemColumns} is
   *     added
   * @param opener opens a file of the section with all those columns
   */
  public MergeReader merge(RowType columns, Section section, FileOpener opener) throws IOException {
    RowType all = withSystemColumns(columns);
    List<RunCursor> cursors =
        section.runs().stream().map(run -> new RunCursor(run, f -> opener.open(f, all))).toList();
    return new MergeReader(shape.in(all), engine, cursors);
  }

  /** Opens a data file of a bucket for reading, narrowed to its live rows. */
  @FunctionalInterface
  public interface FileOpener {
    DataFileReader open(DataFile file, RowType columns) throws IOException;
  }

  /** Opens the files of one bucket in full width. */
  FileOpener opener(BucketState bucket, Function<DataFile, RowSelection> live) {
    return (file, columns) ->
        files
            .dataFiles()
            .open(files.request(bucket, file, columns, live.apply(file), Predicate.ALWAYS));
  }

  DataFileWriter newFiles(BucketState bucket, int source) {
    return files.newFiles(
        bucket.directory(), new DataFileColumns(shape.row(), shape.key()), source);
  }

  /**
   * Whether the rows of a section cannot be read file by file: several of its runs may hold live
   * versions of one key, or it holds retracts.
   */
  public boolean mustMerge(Section section) {
    boolean struckOut = files.deletionCoding() != null;
    for (DataFile file : section.files()) {
      if (file.mayHoldRetracts()) {
        return true;
      }
      boolean unmarked =
          !struckOut || file.level() == 0 || !files.schemas().deletionBitmaps(file.schemaId());
      if (unmarked && section.runs().size() > 1) {
        return true;
      }
    }
    return false;
  }
}
