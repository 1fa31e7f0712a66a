package io.obelus.core.table.scan;

import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.data.PositionedBatch;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowKind;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The changed rows of files without a key: those that are live on one side only. */
final class ChangedPositions implements ChangedRows {

  /** Rows that all came, or all went. */
  private record Rows(PartSelections.Selected selected, RowKind kind) {}

  private final Table table;
  private final DataFiles dataFiles;
  private final Difference difference;
  private Iterator<Rows> files;
  private Rows file;
  private DataFileReader reader;
  private ColumnarBatch batch;
  private int next;

  ChangedPositions(Table table, DataFiles.BatchSettings batches, Difference difference) {
    this.table = table;
    this.difference = difference;
    dataFiles = new DataFiles(table.storage(), batches);
  }

  @Override
  public boolean next() throws IOException {
    if (files == null) {
      PartSelections selections = new PartSelections(table, difference);
      List<Rows> all = new ArrayList<>();
      selections.before().forEach(selected -> all.add(new Rows(selected, RowKind.DELETE)));
      selections.after().forEach(selected -> all.add(new Rows(selected, RowKind.INSERT)));
      files = all.iterator();
    }
    while (batch == null || ++next == batch.numRows()) {
      if (!nextBatch()) {
        return false;
      }
    }
    return true;
  }

  private boolean nextBatch() throws IOException {
    while (true) {
      PositionedBatch read = reader == null ? null : reader.next();
      if (read != null) {
        batch = read.columns();
        next = -1;
        return true;
      }
      close();
      if (!files.hasNext()) {
        return false;
      }
      file = files.next();
      Split.Part part = file.selected().part();
      reader =
          dataFiles.open(
              new DataFiles.Request(
                  part.file().path(part.directory()),
                  table.fileSchemas().rowType(part.file().schemaId()),
                  table.schema().rowType(),
                  file.selected().rows(),
                  Predicate.ALWAYS));
    }
  }

  @Override
  public InternalRow row() {
    return batch.getRow(next);
  }

  @Override
  public RowKind kind() {
    return file.kind();
  }

  @Override
  public void close() throws IOException {
    batch = null;
    if (reader != null) {
      DataFileReader closing = reader;
      reader = null;
      closing.close();
    }
  }
}
