package io.obelus.spark.rowlevel;

import io.obelus.core.row.RowKind;
import io.obelus.core.table.maintenance.StruckRows;
import io.obelus.spark.write.ObelusCommitMessage;
import io.obelus.spark.write.TaskWriter;
import io.obelus.spark.write.WriteJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * One task of a DELETE, UPDATE or MERGE on a table without a key: old rows are remembered by their
 * places, new ones are written. The id of a row is its file and its position in it.
 */
final class AppendDeltaWriter implements DeltaWriter<InternalRow> {

  /** Starts the tasks. */
  record Factory(WriteJob job) implements DeltaWriterFactory {
    @Override
    public DeltaWriter<InternalRow> createWriter(int partitionId, long taskId) {
      try {
        return new AppendDeltaWriter(job.newTask());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final TaskWriter rows;
  private final StruckRows struckOut = new StruckRows();

  private AppendDeltaWriter(TaskWriter rows) {
    this.rows = rows;
  }

  @Override
  public void delete(InternalRow metadata, InternalRow id) {
    struckOut.add(id.getUTF8String(0), id.getLong(1), false);
  }

  @Override
  public void update(InternalRow metadata, InternalRow id, InternalRow row) throws IOException {
    struckOut.add(id.getUTF8String(0), id.getLong(1), true);
    insert(row);
  }

  @Override
  public void insert(InternalRow row) throws IOException {
    rows.write(row, RowKind.INSERT.code());
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    return new ObelusCommitMessage(rows.finish(), struckOut);
  }

  @Override
  public void abort() throws IOException {
    rows.abort();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
