package io.obelus.spark.write;

import io.obelus.core.table.snapshot.Snapshot;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** One batch write. The snapshot it builds on is fixed when Spark starts the job, not earlier. */
final class ObelusBatchWrite implements BatchWrite {

  private final ObelusWrite write;
  private WriteCommit commit;

  ObelusBatchWrite(ObelusWrite write) {
    this.write = write;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    ObelusWrite begun = write.begun();
    Snapshot base = begun.latest();
    commit = begun.commit(base);
    return begun.tasks(base);
  }

  /** Names of files are never used twice and only what is committed counts: nobody has to ask. */
  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    commit.commit(messages);
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    if (commit != null) {
      commit.abort(messages);
    }
  }
}
