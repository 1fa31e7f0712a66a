package io.obelus.spark.rowlevel;

import io.obelus.spark.write.WriteJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;

/** Starts the tasks of a row-level write. */
record ObelusDeltaWriterFactory(WriteJob job, RowIdentity identity) implements DeltaWriterFactory {

  @Override
  public DeltaWriter<InternalRow> createWriter(int partitionId, long taskId) {
    try {
      return new ObelusDeltaWriter(job.newTask(), identity);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
