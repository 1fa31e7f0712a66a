package io.obelus.spark.write;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;

/** An INSERT, append or overwrite: upserts in a keyed table. */
final class ObelusWrite implements RequiresDistributionAndOrdering {

  private final Table table;
  private final Overwrite overwrite;
  private final Clustering clustering;
  private final String queryId;

  /**
   * @param overwrite null to add
   */
  ObelusWrite(Table table, Overwrite overwrite, Clustering clustering, String queryId) {
    this.table = table;
    this.overwrite = overwrite;
    this.clustering = clustering;
    this.queryId = queryId;
  }

  @Override
  public String description() {
    return "obelus " + table.name() + (overwrite == null ? "" : " (overwrite)");
  }

  @Override
  public Distribution requiredDistribution() {
    return clustering.distribution();
  }

  @Override
  public int requiredNumPartitions() {
    return clustering.fixedTasks();
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return clustering.ordering();
  }

  @Override
  public BatchWrite toBatch() {
    return new ObelusBatchWrite(this);
  }

  @Override
  public StreamingWrite toStreaming() {
    return new ObelusStreamingWrite(this, queryId);
  }

  Table table() {
    return table;
  }

  Snapshot latest() {
    try {
      return table.snapshots().latest().orElse(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  WriteJob job(Snapshot base) {
    return new WriteJob(table, base, overwrite != null, false, clustering);
  }

  WriteCommit commit(Snapshot base) {
    return new WriteCommit(table, base, overwrite);
  }
}
