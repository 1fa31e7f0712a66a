package io.obelus.spark.write;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.SchemaMergeOption;
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
  private final MergedSchema merged;
  private final RowAlignment alignment;

  /**
   * @param overwrite null to add
   */
  ObelusWrite(Table table, Overwrite overwrite, Clustering clustering, String queryId) {
    this(table, overwrite, clustering, queryId, null, null);
  }

  private ObelusWrite(
      Table table,
      Overwrite overwrite,
      Clustering clustering,
      String queryId,
      MergedSchema merged,
      RowAlignment alignment) {
    this.table = table;
    this.overwrite = overwrite;
    this.clustering = clustering;
    this.queryId = queryId;
    this.merged = merged;
    this.alignment = alignment;
  }

  /**
   * A write that first changes the table's schema; all that can be wrong with that is wrong here.
   */
  static ObelusWrite merging(MergedSchema merged, Overwrite overwrite, String queryId) {
    Table planned = merged.planned();
    planned.options().checkWritable();
    return new ObelusWrite(
        planned, overwrite, merged.clustering(planned), queryId, merged, merged.alignment(planned));
  }

  /** The same write to the table as it is when the job starts. */
  ObelusWrite begun() {
    if (merged == null) {
      return this;
    }
    Table stored = merged.stored(clustering);
    return new ObelusWrite(
        stored, overwrite, merged.clustering(stored), queryId, null, merged.alignment(stored));
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
    if (merged != null) {
      throw SchemaMergeOption.tooLate(table.name());
    }
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

  /** What starts the tasks. */
  ObelusDataWriterFactory tasks(Snapshot base) {
    return new ObelusDataWriterFactory(
        new WriteJob(table, base, overwrite != null, false, clustering), alignment);
  }

  WriteCommit commit(Snapshot base) {
    return new WriteCommit(table, base, overwrite);
  }
}
