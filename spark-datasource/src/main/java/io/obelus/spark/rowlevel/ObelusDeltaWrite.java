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
 * The write of a row-level operation: how its rows get to tasks, who takes them there, and the
 * commit of all.
 */
final class ObelusDeltaWrite
    implements DeltaWrite, DeltaBatchWrite, RequiresDistributionAndOrdering {

  private final String name;
  private final RowLayout layout;
  private final DeltaWriterFactory writers;
  private final WriteCommit commit;

  private ObelusDeltaWrite(
      Table table, Snapshot base, RowLayout layout, DeltaWriterFactory writers) {
    this.name = table.name();
    this.layout = layout;
    this.writers = writers;
    this.commit = new WriteCommit(table, base);
  }

  /** What Spark has to do with the rows. */
  private record RowLayout(Distribution distribution, int tasks, SortOrder... ordering) {}

  /**
   * The write to a table with a key. Deletes and new rows go the way of an INSERT, since both have
   * the key by which they are spread and sorted.
   */
  static ObelusDeltaWrite byKey(
      Table table, Snapshot base, Clustering clustering, RowIdentity identity) {
    return new ObelusDeltaWrite(
        table,
        base,
        new RowLayout(clustering.distribution(), clustering.fixedTasks(), clustering.keyOrdering()),
        new ObelusDeltaWriter.Factory(
            new WriteJob(table, base, false, true, clustering), identity));
  }

  /**
   * The write to a table without a key. New rows go the way of an INSERT. Old rows are struck out
   * where they are, whichever task finds them: nothing is shuffled for them, and the bitmaps of all
   * tasks are put together and written on the driver.
   */
  static ObelusDeltaWrite byPlace(
      Table table, Snapshot base, Clustering clustering, Command command) {
    // A DELETE has no columns but the places of its rows.
    RowLayout layout =
        command == Command.DELETE
            ? new RowLayout(Distributions.unspecified(), 0)
            : new RowLayout(
                clustering.distribution(), clustering.fixedTasks(), clustering.ordering());
    return new ObelusDeltaWrite(
        table,
        base,
        layout,
        new AppendDeltaWriter.Factory(new WriteJob(table, base, false, false, clustering)));
  }

  @Override
  public String description() {
    return "obelus " + name;
  }

  @Override
  public Distribution requiredDistribution() {
    return layout.distribution();
  }

  @Override
  public int requiredNumPartitions() {
    return layout.tasks();
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return layout.ordering();
  }

  @Override
  public DeltaBatchWrite toBatch() {
    return this;
  }

  @Override
  public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return writers;
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
