package io.obelus.spark.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;

/** Starts the tasks of a write. */
record ObelusDataWriterFactory(WriteJob job)
    implements DataWriterFactory, StreamingDataWriterFactory {

  @Override
  public DataWriter<InternalRow> createWriter(int partitionId, long taskId) {
    try {
      return new ObelusDataWriter(job);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public DataWriter<InternalRow> createWriter(int partitionId, long taskId, long epochId) {
    return createWriter(partitionId, taskId);
  }
}
