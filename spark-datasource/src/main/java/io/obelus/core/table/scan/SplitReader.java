package io.obelus.core.table.scan;

import io.obelus.core.bucket.KeyedBucket;
import io.obelus.core.bucket.MergeReader;
import io.obelus.core.bucket.RowShape;
import io.obelus.core.bucket.Section;
import io.obelus.core.bucket.SortedRuns;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.data.PageFigures;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.CountedStorage;
import io.obelus.core.io.PartCache;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads the live rows of one split as column batches. Not thread-safe. */
public final class SplitReader implements Closeable {

  /** Starts one source of rows after another. */
  @FunctionalInterface
  private interface Start {
    RowSource open() throws IOException;
  }

  private final Table table;
  private final CountedStorage storage;
  private final ScanFilter filter;
  private final Predicate inFile;
  private final DataFiles dataFiles;
  private final DataFiles.BatchSettings batches;
  private final IndexLookup indexes;
  private final PartRows partRows;
  private final OutputColumns output;
  private final Iterator<Start> starts;
  private RowSource source;
  private PageFigures pages = PageFigures.NONE; // of sources that are closed
  private long filesNotOpened;

  /**
   * Prepares to read; files are opened one by one.
   *
   * @param columns columns of the table and of {@link MetadataColumns} to return, in this order;
   *     may be empty
   * @param filter its condition as given to the plan
   */
  public SplitReader(
      Table table,
      RowType columns,
      ScanFilter filter,
      DataFiles.BatchSettings batches,
      Split split) {
    PartCache parts = PartCache.ofJvm(table.options().readCacheSize());
    this.storage = new CountedStorage(table.storage(), parts);
    this.table = table.on(storage);
    this.filter = filter;
    this.batches = batches;
    dataFiles = new DataFiles(storage, batches);
    inFile = ScanCondition.inFiles(table, filter.condition());
    indexes = new IndexLookup(this.table, filter);
    partRows = new PartRows(this.table);
    output = new OutputColumns(table, columns, batches.capacity());
    starts = (split.merge() ? mergedStarts(split) : plainStarts(split)).iterator();
  }

  /** The next batch with at least one row, or null at the end; valid until the next call. */
  public ColumnarBatch next() throws IOException {
    try {
      return nextBatch();
    } catch (FileNotFoundException e) {
      throw MissingFile.explained(table, e);
    }
  }

  private ColumnarBatch nextBatch() throws IOException {
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

  /** Pages read and skipped so far, of files that are not merged. */
  public PageFigures pages() {
    return source == null ? pages : pages.plus(source.pages());
  }

  /** Bytes read so far of data files. */
  public long dataBytesRead() {
    return storage.bytesRead(".parquet");
  }

  /** Bytes read so far of index files. */
  public long indexBytesRead() {
    return storage.bytesRead(".index");
  }

  /** Files so far of which indexes and bitmaps left no row, so that they were not opened. */
  public long filesNotOpened() {
    return filesNotOpened;
  }

  /** Files so far whose indexes answered, but with so many rows that all were read. */
  public long indexAnswersNotUsed() {
    return indexes.answersNotUsed();
  }

  /** Rows struck out by bitmaps so far. */
  public long rowsStruckOut() {
    return partRows.struckOut();
  }

  /** Rows that file indexes left out so far, whether struck out or not. */
  public long rowsLeftOutByIndexes() {
    return partRows.leftOutByIndexes();
  }

  /** Of these, the rows that indexes of one kind took out of what those before had left. */
  public long rowsLeftOutBy(String kind) {
    return partRows.leftOutBy(kind);
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
    IndexLookup.Found found =
        indexes.ifItPays(indexes.inFile(part.file(), part.directory()), part.file());
    RowSelection rows = partRows.of(part, found);
    if (rows.isEmpty()) {
      filesNotOpened += part.from() == 0 ? 1 : 0; // the other parts of the file tell the same
      return null;
    }
    String path = part.file().path(part.directory());
    if (output.fileColumns().size() == 0 && found.isFiltered() && part.whole()) {
      return new PositionsSource(rows, path, batches.capacity());
    }
    DataFiles.Request request =
        new DataFiles.Request(
            path,
            table.fileSchemas().rowType(part.file().schemaId()),
            output.fileColumns(),
            rows,
            part.from(),
            part.to(),
            found.asksRows() ? inFile : Predicate.ALWAYS,
            !found.isFiltered());
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
    Predicate onKey = ScanCondition.onKey(table, filter.condition());
    RowType columns = mergeColumns(keyed.shape());
    MergeReader merged =
        keyed.merge(
            columns,
            section,
            (file, all) ->
                dataFiles.open(
                    new DataFiles.Request(
                        file.path(first.directory()),
                        table.fileSchemas().rowType(file.schemaId()),
                        all,
                        partRows.live(parts.get(file)),
                        onKey)));
    return new MergedSource(
        merged,
        output.fileColumns(),
        row -> Predicates.test(filter.required(), row, columns) == Truth.TRUE,
        first.directory(),
        batches.capacity());
  }

  /** What is returned, then the columns that merging and filtering need beside it. */
  private RowType mergeColumns(RowShape shape) {
    List<Column> all = new ArrayList<>(output.fileColumns().columns());
    Stream<Column> merging =
        Stream.of(shape.key(), shape.sequence())
            .flatMapToInt(Arrays::stream)
            .mapToObj(shape.row()::column);
    Stream.concat(merging, Predicates.columns(filter.required()).stream())
        .filter(column -> all.stream().noneMatch(c -> c.id() == column.id()))
        .forEach(all::add);
    return new RowType(all);
  }

  private void closeSource() throws IOException {
    if (source != null) {
      RowSource closing = source;
      source = null;
      pages = pages.plus(closing.pages());
      closing.close();
    }
  }

  @Override
  public void close() throws IOException {
    closeSource();
    output.close();
  }
}
