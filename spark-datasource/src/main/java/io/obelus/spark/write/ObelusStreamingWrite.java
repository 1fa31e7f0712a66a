package io.obelus.spark.write;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;

/**
 * Writes micro-batches, each exactly once. The snapshot of a batch and those after it carry the
 * query's newest epoch; a batch that Spark runs again after a crash finds its epoch there and is
 * dropped, however many snapshots have come and expired since.
 */
final class ObelusStreamingWrite implements StreamingWrite {

  /** Property of a snapshot, with a query's id behind: its newest micro-batch, from 0. */
  private static final String EPOCH = "obelus.stream.";

  private final ObelusWrite write;
  private final String property;
  private WriteCommit commit;

  ObelusStreamingWrite(ObelusWrite write, String queryId) {
    this.write = write;
    this.property = EPOCH + queryId;
  }

  @Override
  public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
    Snapshot base = write.latest();
    commit = write.commit(base);
    return write.tasks(base);
  }

  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public void commit(long epoch, WriterCommitMessage[] messages) {
    if (epoch <= lastEpoch()) {
      commit.abort(messages);
      return;
    }
    commit.commit(messages, Map.of(property, Long.toString(epoch)));
  }

  @Override
  public void abort(long epoch, WriterCommitMessage[] messages) {
    if (commit != null) {
      commit.abort(messages);
    }
  }

  /**
   * The newest epoch of this query that is in the table, -1 if none is. Other engines drop the
   * property, so that it may be in an older snapshot only.
   */
  private long lastEpoch() {
    Snapshots snapshots = write.table().snapshots();
    try {
      Snapshot earliest = snapshots.earliest().orElse(null);
      Snapshot latest = snapshots.latest().orElse(null);
      if (earliest == null || latest == null) {
        return -1;
      }
      for (long id = latest.id(); id >= earliest.id(); id--) {
        Optional<Snapshot> snapshot = snapshots.find(id);
        if (snapshot.isEmpty()) {
          break; // it has expired meanwhile, and so have all before it
        }
        String epoch = snapshot.get().properties().get(property);
        if (epoch != null) {
          return Long.parseLong(epoch);
        }
      }
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
