package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.PositionedBatch;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.file.index.FileIndexSettings;
import io.obelus.core.file.index.FileIndexWriter;
import io.obelus.core.file.index.IndexedColumn;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Storage;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The indexes of one bucket's data files while they are rewritten (spec chapter 20). A data file
 * keeps its name, so what is given up is the new index files alone. Not thread-safe.
 */
final class BucketIndexes {

  private final BucketFiles files;
  private final RowType row;
  private final boolean anew;
  private final BucketState bucket;
  private final Storage storage;
  private final List<DataFile> removed = new ArrayList<>();
  private final List<DataFile> added = new ArrayList<>();
  private final List<String> written = new ArrayList<>();
  private final Set<String> gained = new TreeSet<>();
  private final Set<String> lost = new TreeSet<>();
  private long changed;
  private long bytesBefore;
  private long bytesAfter;

  BucketIndexes(IndexRewrite rewrite, BucketState bucket) {
    this.files = rewrite.files();
    this.row = rewrite.row();
    this.anew = rewrite.anew();
    this.bucket = bucket;
    this.storage = files.dataFiles().storage();
  }

  /**
   * The indexes that a data file has.
   *
   * @param parts as {@code "city: bitmap"}
   * @param readable false if there is one that cannot be read; it says nothing then
   */
  private record Present(Set<String> parts, long bytes, boolean readable) {

    static final Present NOTHING = new Present(Set.of(), 0, true);
    static final Present UNREADABLE = new Present(Set.of(), 0, false);

    static Present of(FileIndex index) {
      Set<String> parts = new TreeSet<>();
      index.parts().forEach(part -> parts.add(name(part.column(), part.kind())));
      return new Present(parts, index.size(), true);
    }

    boolean isJust(Set<String> wanted) {
      return readable && parts.equals(wanted);
    }
  }

  private static String name(String column, String kind) {
    return column + ": " + kind;
  }

  /** Gives a file the indexes it should have; unless {@code dryRun}, then it is only counted. */
  void settle(DataFile file, boolean dryRun) throws IOException {
    RowType fileColumns = files.schemas().rowType(file.schemaId());
    FileIndexSettings.OfFile wanted = files.indexes().ofFile(row, fileColumns);
    Set<String> parts = new TreeSet<>();
    for (IndexedColumn index : wanted.indexes().columns()) {
      parts.add(name(index.name(), index.kind()));
    }
    Present before = present(file, fileColumns);
    bytesBefore += before.bytes();
    if (before.isJust(parts) && (!anew || parts.isEmpty())) {
      bytesAfter += before.bytes();
    } else if (dryRun) {
      count(before.parts(), parts);
    } else {
      replace(file, fileColumns, wanted, before);
    }
  }

  private void replace(
      DataFile file, RowType fileColumns, FileIndexSettings.OfFile wanted, Present before)
      throws IOException {
    DataFile after = indexed(file, wanted);
    Present made = read(after, fileColumns);
    boolean same = anew ? after.equals(file) : before.isJust(made.parts());
    if (same) { // what is missing takes too much memory, as it did before
      indexFiles(after).forEach(this::delete);
      bytesAfter += before.bytes();
      return;
    }
    bytesAfter += made.bytes();
    removed.add(file);
    added.add(after);
    count(before.parts(), made.parts());
  }

  private void count(Set<String> before, Set<String> after) {
    changed++;
    after.stream().filter(part -> !before.contains(part)).forEach(gained::add);
    before.stream().filter(part -> !after.contains(part)).forEach(lost::add);
  }

  /** A file whose index cannot be read for good is a case for a new one. */
  private Present present(DataFile file, RowType columns) throws IOException {
    try {
      return read(file, columns);
    } catch (CorruptFileException | UnknownVersionException | FileNotFoundException e) {
      return Present.UNREADABLE;
    }
  }

  private Present read(DataFile file, RowType columns) throws IOException {
    List<String> paths = indexFiles(file);
    if (paths.size() > 1) {
      return Present.UNREADABLE; // which of them is meant?
    }
    if (!paths.isEmpty()) {
      try (FileIndex index = FileIndex.open(storage, paths.get(0), columns, file.rowCount())) {
        return Present.of(index);
      }
    }
    if (file.embeddedIndex() == null) {
      return Present.NOTHING;
    }
    byte[] embedded = file.embeddedIndex().bytes();
    try (FileIndex index = FileIndex.embedded(embedded, file.name(), columns, file.rowCount())) {
      return Present.of(index);
    }
  }

  /** The file with new indexes, which are written by then. */
  private DataFile indexed(DataFile file, FileIndexSettings.OfFile wanted) throws IOException {
    List<String> extraFiles = new ArrayList<>(file.extraFiles());
    extraFiles.removeAll(FileIndex.namesAmong(extraFiles));
    if (wanted.indexes().isEmpty()) {
      return file.withIndex(null, extraFiles);
    }
    FileIndexWriter.Kept kept = write(file, wanted);
    if (kept.file() != null) {
      extraFiles.add(kept.file());
      written.add(file.companion(bucket.directory(), kept.file()));
    }
    return file.withIndex(
        kept.embedded() == null ? null : new RowBytes(kept.embedded()), extraFiles);
  }

  private FileIndexWriter.Kept write(DataFile file, FileIndexSettings.OfFile wanted)
      throws IOException {
    List<String> older = indexFiles(file);
    FileIndexWriter writer =
        FileIndexWriter.replacing(
            storage,
            wanted.indexes(),
            file.path(bucket.directory()),
            older.isEmpty() ? null : older.get(older.size() - 1));
    RowSelection all = RowSelection.all(file.rowCount()); // positions count struck-out rows too
    try (DataFileReader reader =
        files
            .dataFiles()
            .open(files.request(bucket, file, wanted.columns(), all, Predicate.ALWAYS))) {
      fill(writer, reader, file);
      return writer.finish();
    } catch (IOException | RuntimeException e) {
      writer.close();
      throw e;
    }
  }

  private static void fill(FileIndexWriter writer, DataFileReader reader, DataFile file)
      throws IOException {
    long rows = 0;
    for (PositionedBatch batch = reader.next(); batch != null; batch = reader.next()) {
      ColumnarBatch columns = batch.columns();
      if (columns.numRows() > 0 && batch.position(0) != rows) {
        throw new IllegalStateException(
            "%s: row %d was expected next, not row %d"
                .formatted(file.name(), rows, batch.position(0)));
      }
      for (int i = 0; i < columns.numRows(); i++) {
        writer.add(columns.getRow(i));
      }
      rows += columns.numRows();
    }
    if (rows != file.rowCount()) {
      throw new IllegalStateException(
          "%s: %d rows were expected but %d read".formatted(file.name(), file.rowCount(), rows));
    }
  }

  private List<String> indexFiles(DataFile file) {
    return FileIndex.namesAmong(file.extraFiles()).stream()
        .map(name -> file.companion(bucket.directory(), name))
        .toList();
  }

  IndexRewrite.Result result(boolean dryRun) {
    BucketChange change =
        new BucketChange(
            bucket.id(),
            bucket.totalBuckets(),
            removed,
            added,
            written,
            null,
            List.of(),
            false,
            new BucketChange.Report(0, 0, 0, 0));
    return new IndexRewrite.Result(
        change,
        changed,
        bytesBefore,
        dryRun ? null : (Long) bytesAfter,
        List.copyOf(gained),
        List.copyOf(lost));
  }

  /** Deletes what was written. */
  void undo() {
    List.copyOf(written).forEach(this::delete);
  }

  private void delete(String path) {
    written.remove(path);
    try {
      storage.delete(path);
    } catch (IOException | RuntimeException e) {
      // An orphan stays; what happened before matters more.
    }
  }
}
