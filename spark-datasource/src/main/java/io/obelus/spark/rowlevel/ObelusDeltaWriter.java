package io.obelus.spark.rowlevel;

import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import io.obelus.spark.write.ObelusCommitMessage;
import io.obelus.spark.write.TaskWriter;
import io.obelus.spark.write.WriteJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * One task of a DELETE, UPDATE or MERGE: a deleted row becomes a retract of its key, a changed or
 * new one an upsert.
 */
final class ObelusDeltaWriter implements DeltaWriter<InternalRow> {

  /** Starts the tasks. */
  record Factory(WriteJob job, RowIdentity identity) implements DeltaWriterFactory {
    @Override
    public DeltaWriter<InternalRow> createWriter(int partitionId, long taskId) {
      try {
        return new ObelusDeltaWriter(job.newTask(), identity);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final TaskWriter rows;
  private final RowIdentity identity;
  private final DataType[] types;
  private final GenericInternalRow deleted;
  private final Comparator<InternalRow> byKey;
  private final Comparator<InternalRow> bySequence;

  private ObelusDeltaWriter(TaskWriter rows, RowIdentity identity) {
    this.rows = rows;
    this.identity = identity;
    RowType type = identity.row();
    int[] columns = identity.columns();
    StructType schema = type.toSpark();
    this.types =
        Arrays.stream(columns).mapToObj(c -> schema.apply(c).dataType()).toArray(DataType[]::new);
    this.deleted = new GenericInternalRow(type.size());
    RowType idType =
        type.project(Arrays.stream(columns).mapToObj(c -> type.column(c).name()).toList());
    this.byKey =
        RowComparator.across(
            idType,
            IntStream.range(0, identity.keyColumns()).toArray(),
            Arrays.copyOf(columns, identity.keyColumns()));
    Comparator<InternalRow> ascending =
        RowComparator.across(
            idType,
            Arrays.stream(identity.sequence())
                .map(s -> Arrays.stream(columns).boxed().toList().indexOf(s))
                .toArray(),
            identity.sequence());
    this.bySequence =
        identity.sequenceDescending() ? (a, b) -> -ascending.compare(a, b) : ascending;
  }

  @Override
  public void delete(InternalRow metadata, InternalRow id) throws IOException {
    for (int i = 0; i < types.length; i++) {
      deleted.update(identity.columns()[i], id.get(i, types[i]));
    }
    rows.write(deleted, RowKind.DELETE.code());
  }

  @Override
  public void update(InternalRow metadata, InternalRow id, InternalRow row) throws IOException {
    if (byKey.compare(id, row) != 0) {
      throw new IllegalArgumentException(
          "an UPDATE may not change the primary key ("
              + String.join(
                  ", ", IntStream.range(0, identity.keyColumns()).mapToObj(identity::name).toList())
              + "): the new key may be another row's. Delete the row and insert it anew.");
    }
    if (bySequence.compare(id, row) > 0) {
      throw new IllegalArgumentException(
          "an UPDATE may not make the sequence.field older: the old row would win and the update"
              + " would be lost");
    }
    rows.write(row, RowKind.UPDATE_AFTER.code());
  }

  @Override
  public void insert(InternalRow row) throws IOException {
    rows.write(row, RowKind.INSERT.code());
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    return new ObelusCommitMessage(rows.finish());
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
