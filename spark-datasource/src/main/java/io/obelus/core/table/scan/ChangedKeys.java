package io.obelus.core.table.scan;

import io.obelus.core.bucket.KeyedBucket;
import io.obelus.core.bucket.MergeReader;
import io.obelus.core.bucket.Section;
import io.obelus.core.bucket.SortedRuns;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;

/**
 * The changed rows of a keyed bucket: both sides are walked in the order of their keys, in step.
 */
final class ChangedKeys implements ChangedRows {

  private final Table table;
  private final KeyedBucket keyed;
  private final DataFiles dataFiles;
  private final RowType columns;
  private final RowComparator byKey;
  private final UnsafeProjection valuesBefore;
  private final UnsafeProjection valuesAfter;
  private final Difference difference;
  private Side before;
  private Side after;
  private InternalRow row;
  private RowKind kind;

  ChangedKeys(Table table, DataFiles.BatchSettings batches, Difference difference) {
    this.table = table;
    this.difference = difference;
    keyed = TableBuckets.keyed(table, batches);
    dataFiles = new DataFiles(table.storage(), batches);
    columns = table.schema().rowType();
    byKey = RowComparator.of(columns, keyed.shape().key());
    valuesBefore = UnsafeProjection.create(columns.toSpark());
    valuesAfter = UnsafeProjection.create(columns.toSpark());
  }

  @Override
  public boolean next() throws IOException {
    if (before == null) {
      PartSelections selections = new PartSelections(table, difference);
      before = new Side(selections.before());
      after = new Side(selections.after());
    } else if (kind == RowKind.UPDATE_BEFORE) {
      return found(RowKind.UPDATE_AFTER, after.row);
    } else {
      leave();
    }
    while (before.row != null || after.row != null) {
      int order = order();
      if (order < 0) {
        return found(RowKind.DELETE, before.row);
      } else if (order > 0) {
        return found(RowKind.INSERT, after.row);
      } else if (!valuesBefore.apply(before.row).equals(valuesAfter.apply(after.row))) {
        return found(RowKind.UPDATE_BEFORE, before.row);
      }
      before.advance();
      after.advance();
    }
    return false;
  }

  private boolean found(RowKind found, InternalRow at) {
    kind = found;
    row = at;
    return true;
  }

  /** Moves on from the row that was returned last. */
  private void leave() throws IOException {
    if (kind != RowKind.INSERT) {
      before.advance();
    }
    if (kind != RowKind.DELETE) {
      after.advance();
    }
  }

  private int order() {
    if (before.row == null || after.row == null) {
      return before.row == null ? 1 : -1;
    }
    return byKey.compare(before.row, after.row);
  }

  @Override
  public InternalRow row() {
    return row;
  }

  @Override
  public RowKind kind() {
    return kind;
  }

  @Override
  public void close() throws IOException {
    if (before != null) {
      before.close();
    }
    if (after != null) {
      after.close();
    }
  }

  /** The live rows of one side, one for each key, in the order of the keys. */
  private final class Side implements Closeable {

    private final Map<DataFile, PartSelections.Selected> files = new LinkedHashMap<>();
    private final Iterator<Section> sections;
    private MergeReader merged;

    /** Null at the end. */
    private InternalRow row;

    Side(List<PartSelections.Selected> selected) throws IOException {
      selected.forEach(each -> files.put(each.part().file(), each));
      sections =
          files.isEmpty()
              ? Collections.emptyIterator()
              : new SortedRuns(keyed.shape().keyType())
                  .sections(List.copyOf(files.keySet()))
                  .iterator();
      advance();
    }

    void advance() throws IOException {
      while (true) {
        if (merged == null) {
          if (!sections.hasNext()) {
            row = null;
            return;
          }
          merged = open(sections.next());
        }
        while (merged.next()) {
          if (!RowKind.isRetract(merged.record().kind())) {
            row = merged.record().row();
            return;
          }
        }
        close();
      }
    }

    private MergeReader open(Section section) throws IOException {
      return keyed.merge(
          columns,
          section,
          (file, all) ->
              dataFiles.open(
                  new DataFiles.Request(
                      file.path(files.get(file).part().directory()),
                      table.fileSchemas().rowType(file.schemaId()),
                      all,
                      files.get(file).rows(),
                      Predicate.ALWAYS)));
    }

    @Override
    public void close() throws IOException {
      if (merged != null) {
        MergeReader closing = merged;
        merged = null;
        closing.close();
      }
    }
  }
}
