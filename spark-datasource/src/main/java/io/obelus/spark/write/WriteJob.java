package io.obelus.spark.write;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.BucketTasks;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.maintenance.TableTasks;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the tasks of one write need to know; made on the driver, sent to each.
 *
 * @param base snapshot that the write builds on; null if the table has none
 * @param replacing whether the partitions that are written lose all their rows, so that nothing is
 *     there to be struck out
 * @param keyChanges whether rows are changes of keys, at most one new row of each: what DELETE,
 *     UPDATE and MERGE make
 */
public record WriteJob(
    Table table,
    Snapshot base,
    boolean replacing,
    boolean keyChanges,
    Clustering clustering,
    BucketTasks tasks)
    implements Serializable {

  public WriteJob(
      Table table, Snapshot base, boolean replacing, boolean keyChanges, Clustering clustering) {
    this(table, base, replacing, keyChanges, clustering, TableTasks.of(table));
  }

  /** Starts a task. To be called in it. */
  public TaskWriter newTask() throws IOException {
    return new TaskWriter(this);
  }

  /** The bucket with nothing in it. */
  BucketState empty(BucketId id) {
    RowBytes partition = id.partition();
    String directory =
        table.directory().bucket(new PartitionPath(table.schema()).of(partition), id.bucket());
    return new BucketState(id, directory, totalBuckets(), List.of(), List.of());
  }

  /** The buckets that are wanted, as they are in the base. */
  List<BucketState> states(Predicate<BucketId> wanted) throws IOException {
    return base == null || replacing ? List.of() : new LiveFiles(table, base).buckets(wanted);
  }

  private int totalBuckets() {
    return clustering.slots() == null ? -1 : clustering.slots().buckets();
  }
}
