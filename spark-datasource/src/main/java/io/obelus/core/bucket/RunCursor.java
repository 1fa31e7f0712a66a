package io.obelus.core.bucket;

import io.obelus.core.bucket.merge.KeyedRecord;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.PositionedBatch;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Walks the rows of one sorted run, file after file. Holds one batch. Not thread-safe. */
final class RunCursor implements Closeable {

  /** Opens a data file; the last two columns it returns are sequence number and kind. */
  @FunctionalInterface
  interface Opener {
    DataFileReader open(DataFile file) throws IOException;
  }

  private final Iterator<DataFile> files;
  private final Opener opener;
  private final KeyedRecord record = new KeyedRecord();
  private DataFile file;
  private DataFileReader reader;
  private PositionedBatch batch;
  private ColumnarBatch columns;
  private int next;

  RunCursor(List<DataFile> files, Opener opener) {
    this.files = files.iterator();
    this.opener = opener;
  }

  /** Moves to the next row; false at the end of the run. */
  boolean advance() throws IOException {
    while (columns == null || next == columns.numRows()) {
      if (!nextBatch()) {
        return false;
      }
    }
    InternalRow row = columns.getRow(next++);
    int width = columns.numCols();
    record.set(row, row.getLong(width - 2), row.getByte(width - 1));
    return true;
  }

  /** The current row; valid until the next move. */
  KeyedRecord record() {
    return record;
  }

  /** The data file of the current row. */
  DataFile file() {
    return file;
  }

  /** Position of the current row in its file. */
  long position() {
    return batch.position(next - 1);
  }

  private boolean nextBatch() throws IOException {
    while (true) {
      if (reader != null) {
        batch = reader.next();
        if (batch != null) {
          columns = batch.columns();
          next = 0;
          return true;
        }
        close();
      }
      if (!files.hasNext()) {
        return false;
      }
      file = files.next();
      reader = opener.open(file);
    }
  }

  @Override
  public void close() throws IOException {
    columns = null;
    if (reader != null) {
      DataFileReader closing = reader;
      reader = null;
      closing.close();
    }
  }
}
