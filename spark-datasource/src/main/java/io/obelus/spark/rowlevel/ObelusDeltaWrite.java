package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.write.Clustering;
import io.obelus.spark.write.WriteCommit;
import io.obelus.spark.write.WriteJob;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The write of a row-level operation. Deletes and new rows go the way of an INSERT, since both have
 * the key by which they are spread and sorted.
 */
final class ObelusDeltaWrite
    implements DeltaWrite, DeltaBatchWrite, RequiresDistributionAndOrdering {

  private final Table table;
  private final Snapshot base;
  private final Clustering clustering;
  private final RowIdentity identity;
  private final WriteCommit commit;

  ObelusDeltaWrite(Table table, Snapshot base, Clustering clustering, RowIdentity identity) {
    this.table = table;
    this.base = base;
    this.clustering = clustering;
    this.identity = identity;
    this.commit = new WriteCommit(table, base);
  }

  @Override
  public String description() {
    return "obelus " + table.name();
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
    return clustering.keyOrdering();
  }

  @Override
  public DeltaBatchWrite toBatch() {
    return this;
  }

  @Override
  public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return new ObelusDeltaWriterFactory(
        new WriteJob(table, base, false, true, clustering), identity);
  }

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
    commit.abort(messages);
  }
}
