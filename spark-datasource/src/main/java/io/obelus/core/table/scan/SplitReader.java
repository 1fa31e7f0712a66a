package io.obelus.core.table.scan;

import io.obelus.core.bucket.KeyedBucket;
import io.obelus.core.bucket.MergeReader;
import io.obelus.core.bucket.RowShape;
import io.obelus.core.bucket.Section;
import io.obelus.core.bucket.SortedRuns;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads the live rows of one split as column batches. Not thread-safe. */
public final class SplitReader implements Closeable {

  /** Starts one source of rows after another. */
  @FunctionalInterface
  private interface Start {
    RowSource open() throws IOException;
  }

  private final Table table;
  private final Predicate condition;
  private final Predicate inFile;
  private final DataFiles dataFiles;
  private final DataFiles.BatchSettings batches;
  private final IndexLookup indexes;
  private final OutputColumns output;
  private final Iterator<Start> starts;
  private RowSource source;
  private long struckOut;

  /**
   * Prepares to read; files are opened one by one.
   *
   * @param columns columns of the table and of {@link MetadataColumns} to return, in this order;
   *     may be empty
   * @param condition as given to the plan
   */
  public SplitReader(
      Table table,
      RowType columns,
      Predicate condition,
      DataFiles.BatchSettings batches,
      Split split) {
    this.table = table;
    this.condition = condition;
    this.batches = batches;
    dataFiles = new DataFiles(table.storage(), batches);
    inFile = ScanCondition.inFiles(table, condition);
    indexes = new IndexLookup(table, condition);
    output = new OutputColumns(table, columns, batches.capacity());
    starts = (split.merge() ? mergedStarts(split) : plainStarts(split)).iterator();
  }

  /** The next batch with at least one row, or null at the end; valid until the next call. */
  public ColumnarBatch next() throws IOException {
    while (true) {
      if (source == null) {
        if (!starts.hasNext()) {
          return null;
        }
        source = starts.next().open();
      }
      LocatedBatch batch = source == null ? null : source.next();
      if (batch != null) {
        return output.of(batch);
      }
      closeSource();
    }
  }

  /** Rows struck out by bitmaps so far. */
  public long rowsStruckOut() {
    return struckOut;
  }

  private List<Start> plainStarts(Split split) {
    List<Start> list = new ArrayList<>();
    for (Split.Part part : split.parts()) {
      list.add(() -> openFile(part));
    }
    return list;
  }

  /** Null if no row of the file is left. */
  private RowSource openFile(Split.Part part) throws IOException {
    output.enter(part);
    Candidates candidates = indexes.inFile(part.file(), part.directory());
    if (candidates.isNone()) {
      return null;
    }
    RowSelection rows = live(part).and(candidates);
    if (rows.isEmpty()) {
      return null;
    }
    String path = part.file().path(part.directory());
    DataFiles.Request request =
        new DataFiles.Request(
            path,
            table.fileSchemas().rowType(part.file().schemaId()),
            output.fileColumns(),
            rows,
            part.from(),
            part.to(),
            inFile);
    return new FileSource(dataFiles.open(request), path);
  }

  private List<Start> mergedStarts(Split split) {
    KeyedBucket keyed = TableBuckets.keyed(table, batches);
    Map<DataFile, Split.Part> parts = new LinkedHashMap<>();
    split.parts().forEach(p -> parts.put(p.file(), p));
    List<Start> list = new ArrayList<>();
    SortedRuns sortedRuns = new SortedRuns(keyed.shape().keyType());
    for (Section section : sortedRuns.sections(List.copyOf(parts.keySet()))) {
      list.add(() -> openMerged(keyed, section, parts));
    }
    return list;
  }

  private RowSource openMerged(KeyedBucket keyed, Section section, Map<DataFile, Split.Part> parts)
      throws IOException {
    Split.Part first = parts.get(section.files().get(0));
    output.enter(first);
    Predicate onKey = ScanCondition.onKey(table, condition);
    MergeReader merged =
        keyed.merge(
            withMergeColumns(output.fileColumns(), keyed.shape()),
            section,
            (file, columns) ->
                dataFiles.open(
                    new DataFiles.Request(
                        file.path(first.directory()),
                        table.fileSchemas().rowType(file.schemaId()),
                        columns,
                        live(parts.get(file)),
                        onKey)));
    return new MergedSource(merged, output.fileColumns(), first.directory(), batches.capacity());
  }

  /** The rows of a file that no bitmap strikes out. */
  private RowSelection live(Split.Part part) throws IOException {
    RowSelection all = RowSelection.all(part.file().rowCount());
    if (part.deletions() == null) {
      return all;
    }
    Positions deleted =
        table.deletionFiles().read(part.deletions(), part.file().name(), part.file().rowCount());
    if (deleted == null) {
      return all;
    }
    RowSelection live = all.without(deleted);
    struckOut += part.to() - part.from() - live.cardinality(part.from(), part.to());
    return live;
  }

  /** What is returned, then the key and sequence columns that merging needs beside it. */
  private static RowType withMergeColumns(RowType columns, RowShape shape) {
    List<Column> all = new ArrayList<>(columns.columns());
    for (int[] needed : List.of(shape.key(), shape.sequence())) {
      for (int index : needed) {
        Column column = shape.row().column(index);
        if (all.stream().noneMatch(c -> c.id() == column.id())) {
          all.add(column);
        }
      }
    }
    return new RowType(all);
  }

  private void closeSource() throws IOException {
    if (source != null) {
      RowSource closing = source;
      source = null;
      closing.close();
    }
  }

  @Override
  public void close() throws IOException {
    closeSource();
    output.close();
  }
}
