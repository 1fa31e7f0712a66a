package io.obelus.core.table.scan;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.CountedStorage;
import io.obelus.core.io.PartCache;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Sums up the live rows of one split, file by file: from indexes and deletion bitmaps alone where
 * they tell, else from the rows. Not thread-safe.
 *
 * <p>At most some ten thousand groups are kept at a time, whatever the number of rows.
 */
public final class AggregateReader implements Closeable {

  private final Table table;
  private final CountedStorage storage;
  private final Aggregates aggregates;
  private final ScanFilter filter;
  private final DataFiles.BatchSettings batches;
  private final IndexLookup indexes;
  private final PartRows partRows;
  private final RowType columns;
  private final Iterator<Split.Part> parts;
  private final Queue<GenericInternalRow> ready = new ArrayDeque<>();
  private RowGroups groups; // null unless rows are being read
  private SplitReader rows; // those
  private boolean anyReturned;
  private long fromIndexes;

  /**
   * Prepares to read.
   *
   * @param filter rows are summed up of which its {@code required} is true
   * @param split of whole files, not to be merged
   */
  public AggregateReader(
      Table table,
      Aggregates aggregates,
      ScanFilter filter,
      DataFiles.BatchSettings batches,
      Split split) {
    if (split.merge() || !split.parts().stream().allMatch(Split.Part::whole)) {
      throw new IllegalArgumentException("aggregates are made of whole files that need no merge");
    }
    PartCache parts = PartCache.ofJvm(table.options().readCacheSize());
    this.storage = new CountedStorage(table.storage(), parts);
    this.table = table.on(storage);
    this.aggregates = aggregates;
    this.filter = filter;
    this.batches = batches;
    this.indexes = new IndexLookup(this.table, filter);
    this.partRows = new PartRows(this.table);
    this.columns = aggregates.columns();
    this.parts = split.parts().iterator();
  }

  /**
   * The group's value, if there are groups, and the aggregates; null at the end. All rows together
   * are a group even if there are none: numbers of rows are added up, and the sum of no numbers
   * would be NULL, not 0.
   */
  public InternalRow next() throws IOException {
    while (ready.isEmpty()) {
      if (rows != null) {
        addBatch();
      } else if (parts.hasNext()) {
        begin(parts.next());
      } else if (aggregates.group() == null && !anyReturned) {
        ready.add(aggregates.ofNoRows());
      } else {
        return null;
      }
    }
    anyReturned = true;
    return ready.remove();
  }

  /**
   * All groups, each once, if indexes alone tell them; instead of {@link #next}.
   *
   * @return empty if rows would have to be read
   */
  public Optional<List<InternalRow>> fromIndexes() throws IOException {
    while (parts.hasNext()) {
      if (!answer(parts.next())) {
        return Optional.empty();
      }
    }
    GroupTotals totals = new GroupTotals(aggregates);
    ready.forEach(totals::add);
    return Optional.of(totals.rows());
  }

  /** Rows struck out by bitmaps so far. */
  public long rowsStruckOut() {
    return partRows.struckOut();
  }

  /** Rows that file indexes left out so far, whether struck out or not. */
  public long rowsLeftOutByIndexes() {
    return partRows.leftOutByIndexes();
  }

  /** Data files so far of which indexes told everything. */
  public long filesFromIndexes() {
    return fromIndexes;
  }

  /** Bytes read so far of index files. */
  public long indexBytesRead() {
    return storage.bytesRead(".index");
  }

  private void begin(Split.Part part) throws IOException {
    if (!answer(part)) {
      groups = new RowGroups(aggregates, columns, ready);
      rows = new SplitReader(table, columns, filter, batches, only(part));
    }
  }

  /** Whether the indexes of the file told everything. */
  private boolean answer(Split.Part part) throws IOException {
    try (FileIndex index = indexes.open(part.file(), part.directory())) {
      IndexLookup.Found found = indexes.found(index, part.file());
      if (index == null || !found.isFiltered()) {
        return false;
      }
      RowType fileColumns = table.fileSchemas().rowType(part.file().schemaId());
      IndexAggregates answers =
          IndexAggregates.of(
              aggregates, index, fileColumns, allCount(part, found) ? bounds(part) : null);
      if (answers == null) {
        return false;
      }
      RowSelection live = partRows.of(part, found);
      if (!live.isEmpty()) {
        answers.addTo(ready, live);
      }
      fromIndexes++;
      return true;
    } catch (FileNotFoundException e) {
      throw MissingFile.explained(table, e);
    }
  }

  /** Whether no row is struck out or left out. */
  private static boolean allCount(Split.Part part, IndexLookup.Found found) {
    return part.deletions() == null
        && RowSelection.all(part.file().rowCount()).and(found.candidates()).isAll();
  }

  private FileBounds bounds(Split.Part part) {
    DataFile file = part.file();
    return new FileBounds(file, RowType.EMPTY, null, table.fileSchemas().rowType(file.schemaId()));
  }

  private static Split only(Split.Part part) {
    return new Split(List.of(part), false, part.file().size(), 0);
  }

  private void addBatch() throws IOException {
    ColumnarBatch batch = rows.next();
    if (batch != null) {
      groups.add(batch);
      return;
    }
    groups.flush();
    rows.close();
    rows = null;
  }

  @Override
  public void close() throws IOException {
    if (rows != null) {
      rows.close();
    }
  }
}
