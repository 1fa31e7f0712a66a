package io.obelus.core.table.verify;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.row.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Each index of a data file agrees with the column that it is about. */
final class FileIndexCheck implements RowCheck {

  static final String NAME = "file_index";

  /** One index. */
  private record Part(Where where, Column column, String kind, IndexReader reader) {}

  private final ReadFile read;
  private final List<FileIndex> open = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final Map<Integer, IndexedValues> values = new HashMap<>();

  FileIndexCheck(ReadFile read) throws IOException {
    this.read = read;
    DataFile file = read.file();
    if (file.embeddedIndex() != null) {
      byte[] content = file.embeddedIndex().bytes();
      open(
          read.where(),
          () -> FileIndex.embedded(content, file.name(), read.stored(), file.rowCount()));
    }
    for (String name : FileIndex.namesAmong(file.extraFiles())) {
      String path = file.companion(read.bucket().directory(), name);
      open(
          read.where().in(path),
          () -> FileIndex.open(read.table().storage(), path, read.stored(), file.rowCount()));
    }
  }

  @FunctionalInterface
  private interface Opening {
    FileIndex open() throws IOException;
  }

  private void open(Where where, Opening opening) throws IOException {
    read.report()
        .guard(
            NAME,
            where,
            Mend.FILE_INDEX,
            null,
            () -> {
              FileIndex index = opening.open();
              open.add(index);
              for (FileIndex.Part part : index.parts()) {
                guard(where, () -> add(where, index, part));
              }
            });
  }

  private void guard(Where where, Report.Work work) throws IOException {
    read.report().guard(NAME, where, Mend.FILE_INDEX_ANEW, null, work);
  }

  private void add(Where where, FileIndex index, FileIndex.Part part) throws IOException {
    int ordinal = read.stored().indexOf(part.column());
    if (ordinal < 0) {
      boolean ofMap = part.column().endsWith("]") && part.column().indexOf('[') > 0;
      if (!ofMap) { // those are not asked by anybody yet
        throw new IllegalArgumentException(
            "it has a %s index of column '%s', which the data file does not have"
                .formatted(part.kind(), part.column()));
      }
      return;
    }
    Column column = read.stored().column(ordinal);
    Optional<IndexReader> reader = index.reader(part.kind(), column);
    if (reader.isPresent()) {
      parts.add(new Part(where, column, part.kind(), reader.get()));
      values
          .computeIfAbsent(ordinal, o -> new IndexedValues(column, o))
          .askAtOnce(part.kind(), reader.get());
    }
  }

  @Override
  public void rows(ColumnarBatch batch, long first) throws IOException {
    for (IndexedValues column : values.values()) {
      column.add(batch, first);
    }
  }

  @Override
  public void end() throws IOException {
    for (Part part : parts) {
      IndexedValues column = values.get(read.stored().indexOf(part.column().name()));
      guard(
          part.where(),
          () ->
              column
                  .difference(part.kind(), part.reader(), read.file().rowCount())
                  .ifPresent(difference -> report(part, difference)));
    }
  }

  private void report(Part part, IndexedValues.Difference difference) {
    read.report()
        .error(
            NAME,
            difference.position() < 0 ? part.where() : part.where().at(difference.position()),
            "the %s index of column '%s' %s"
                .formatted(part.kind(), part.column().name(), difference.words()),
            Mend.FILE_INDEX_ANEW,
            null);
  }

  @Override
  public void close() throws IOException {
    for (FileIndex index : open) {
      index.close();
    }
  }
}
