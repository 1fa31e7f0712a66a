package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.write.Clustering;
import io.obelus.spark.write.WriteCommit;
import io.obelus.spark.write.WriteJob;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The write of a row-level operation on a table without a key. New rows go the way of an INSERT.
 * Old rows are struck out where they are, whichever task finds them: nothing is shuffled for them,
 * and the bitmaps of all tasks are put together and written on the driver.
 */
final class AppendDeltaWrite
    implements DeltaWrite, DeltaBatchWrite, RequiresDistributionAndOrdering {

  private final Table table;
  private final Snapshot base;
  private final Clustering clustering;
  private final boolean writesRows;
  private final WriteCommit commit;

  AppendDeltaWrite(Table table, Snapshot base, Clustering clustering, Command command) {
    this.table = table;
    this.base = base;
    this.clustering = clustering;
    this.writesRows = command != Command.DELETE;
    this.commit = new WriteCommit(table, base);
  }

  @Override
  public String description() {
    return "obelus " + table.name();
  }

  /** A DELETE has no columns but the places of its rows. */
  @Override
  public Distribution requiredDistribution() {
    return writesRows ? clustering.distribution() : Distributions.unspecified();
  }

  @Override
  public int requiredNumPartitions() {
    return writesRows ? clustering.fixedTasks() : 0;
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return writesRows ? clustering.ordering() : new SortOrder[0];
  }

  @Override
  public DeltaBatchWrite toBatch() {
    return this;
  }

  @Override
  public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return new AppendDeltaWriter.Factory(new WriteJob(table, base, false, false, clustering));
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
