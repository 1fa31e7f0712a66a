package io.obelus.spark.write;

import io.obelus.core.row.RowKind;
import java.io.IOException;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.unsafe.types.UTF8String;

/** One task of a write: takes rows, with the kind that their kind column says if there is one. */
final class ObelusDataWriter implements DataWriter<InternalRow> {

  private static final UTF8String[] KINDS = {
    UTF8String.fromString(RowKind.INSERT.text()),
    UTF8String.fromString(RowKind.UPDATE_BEFORE.text()),
    UTF8String.fromString(RowKind.UPDATE_AFTER.text()),
    UTF8String.fromString(RowKind.DELETE.text())
  };

  private final Function<InternalRow, InternalRow> aligned;
  private final TaskWriter rows;
  private final String kindField;
  private final int kindColumn;

  /**
   * @param alignment null if rows have the columns of the table
   */
  ObelusDataWriter(WriteJob job, RowAlignment alignment) throws IOException {
    aligned = alignment == null ? Function.identity() : alignment.inTask();
    rows = job.newTask();
    kindField = job.table().options().rowKindField().orElse(null);
    kindColumn =
        kindField == null
            ? -1
            : job.table().schema().rowType().indexesOf(java.util.List.of(kindField))[0];
  }

  @Override
  public void write(InternalRow given) throws IOException {
    InternalRow row = aligned.apply(given);
    rows.write(row, kindColumn < 0 ? 0 : kind(row.getUTF8String(kindColumn)));
  }

  private byte kind(UTF8String text) {
    for (int code = 0; code < KINDS.length; code++) {
      if (KINDS[code].equals(text)) {
        return (byte) code;
      }
    }
    throw new IllegalArgumentException(
        "column '"
            + kindField
            + "' (option 'rowkind.field') should be one of +I, -U, +U, -D but is "
            + (text == null ? "null" : "'" + text + "'"));
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
