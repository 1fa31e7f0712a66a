package io.obelus.core.table.inspect;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.file.index.IndexedColumn;
import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * {@code t$file_indexes}: the indexes that each data file has, and those that the table's options
 * ask for but the file has not. The head of each index is read.
 */
final class FileIndexesTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "partition STRING",
          "bucket INT NOT NULL",
          "file_path STRING NOT NULL",
          "record_count BIGINT NOT NULL",
          "column_name STRING NOT NULL",
          "index_type STRING NOT NULL",
          "size_in_bytes BIGINT",
          "index_file STRING",
          "why_none STRING");

  @Override
  public String name() {
    return "file_indexes";
  }

  @Override
  public RowType rowType() {
    return TYPE;
  }

  @Override
  public boolean showsSnapshot() {
    return true;
  }

  @Override
  public List<InternalRow> rows(Inspected inspected) throws IOException {
    List<IndexedColumn> wanted = inspected.table().options().fileIndexes().columns();
    PartitionText partitions = inspected.partitions();
    List<InternalRow> rows = new ArrayList<>();
    for (ManifestEntry entry : inspected.entries()) {
      String directory = inspected.directory(entry.bucket());
      for (Line line : lines(inspected.table(), entry.file(), directory, wanted)) {
        rows.add(
            Rows.of(
                partitions.of(entry.bucket().partition()),
                entry.bucket().bucket(),
                entry.file().path(directory),
                entry.file().rowCount(),
                line.column(),
                line.kind(),
                line.size(),
                line.indexFile(),
                line.whyNone()));
      }
    }
    return rows;
  }

  /**
   * An index that is there, or why it is not.
   *
   * @param column by its name of today
   * @param size bytes; null if it is not there
   * @param indexFile null if it is in the manifest, or not there
   */
  private record Line(String column, String kind, Long size, String indexFile, String whyNone) {}

  private static List<Line> lines(
      Table table, DataFile file, String directory, List<IndexedColumn> wanted) throws IOException {
    RowType inFile = table.fileSchemas().rowType(file.schemaId());
    List<Line> lines = new ArrayList<>();
    if (file.embeddedIndex() != null) {
      try (FileIndex index =
          FileIndex.embedded(file.embeddedIndex().bytes(), file.name(), inFile, file.rowCount())) {
        addParts(lines, index, table, inFile, null);
      }
    }
    for (String name : FileIndex.namesAmong(file.extraFiles())) {
      String path = file.companion(directory, name);
      try (FileIndex index = FileIndex.open(table.storage(), path, inFile, file.rowCount())) {
        addParts(lines, index, table, inFile, name);
      }
    }
    addMissing(lines, table, inFile, wanted);
    return lines;
  }

  private static void addParts(
      List<Line> lines, FileIndex index, Table table, RowType inFile, String indexFile) {
    for (FileIndex.Part part : index.parts()) {
      lines.add(
          new Line(
              today(part.column(), inFile, table.schema().rowType()),
              part.kind(),
              (long) part.size(),
              indexFile,
              null));
    }
  }

  /** The name that a column of the file has now; its old one if it has been dropped. */
  private static String today(String nameInFile, RowType inFile, RowType now) {
    boolean isKeyOfMap = inFile.indexOf(nameInFile) < 0 && nameInFile.indexOf('[') > 0;
    int end = isKeyOfMap ? nameInFile.indexOf('[') : nameInFile.length();
    int index = inFile.indexOf(nameInFile.substring(0, end));
    int today = index < 0 ? -1 : now.indexOfId(inFile.column(index).id());
    return today < 0 ? nameInFile : now.column(today).name() + nameInFile.substring(end);
  }

  private static void addMissing(
      List<Line> lines, Table table, RowType inFile, List<IndexedColumn> wanted) {
    Set<List<String>> there = new HashSet<>();
    lines.forEach(line -> there.add(List.of(line.column(), line.kind())));
    for (IndexedColumn index : wanted) {
      if (!there.contains(List.of(index.name(), index.kind()))) {
        Column column = table.schema().rowType().column(index.ordinal());
        String why =
            inFile.indexOfId(column.id()) < 0
                ? "the column was added after the file was written"
                : "the file was written before the option was set, by a writer that makes no such"
                    + " index, or the index took too much memory";
        lines.add(new Line(index.name(), index.kind(), null, null, why));
      }
    }
  }
}
