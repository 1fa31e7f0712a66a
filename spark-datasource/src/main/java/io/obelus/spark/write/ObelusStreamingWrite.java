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
 * Writes micro-batches, each exactly once. The snapshot of a batch carries which query wrote it and
 * its epoch; a batch that Spark runs again after a crash finds its epoch there and is dropped.
 */
final class ObelusStreamingWrite implements StreamingWrite {

  /** Property of a snapshot: the query that wrote it. */
  static final String QUERY = "obelus.stream.query-id";

  /** Property of a snapshot: the query's micro-batch, from 0. */
  static final String EPOCH = "obelus.stream.epoch";

  private final ObelusWrite write;
  private final String queryId;
  private WriteCommit commit;

  ObelusStreamingWrite(ObelusWrite write, String queryId) {
    this.write = write;
    this.queryId = queryId;
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
    commit.commit(messages, Map.of(QUERY, queryId, EPOCH, Long.toString(epoch)));
  }

  @Override
  public void abort(long epoch, WriterCommitMessage[] messages) {
    if (commit != null) {
      commit.abort(messages);
    }
  }

  /** The newest epoch of this query that is in the table, -1 if none is. */
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
        Map<String, String> properties = snapshot.get().properties();
        if (queryId.equals(properties.get(QUERY))) {
          return Long.parseLong(properties.get(EPOCH));
        }
      }
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
