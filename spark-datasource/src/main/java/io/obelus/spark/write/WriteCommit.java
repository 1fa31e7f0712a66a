package io.obelus.spark.write;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.maintenance.AfterCommit;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The end of a write, on the driver: all tasks' changes become one snapshot, or none. Used for one
 * write only.
 */
public final class WriteCommit {

  private final Table table;
  private final Snapshot base;
  private final Overwrite overwrite;
  private boolean begun;

  /**
   * @param base snapshot that the tasks built on; null if there was none
   */
  public WriteCommit(Table table, Snapshot base) {
    this(table, base, null);
  }

  /**
   * @param overwrite null to add
   */
  WriteCommit(Table table, Snapshot base, Overwrite overwrite) {
    this.table = table;
    this.base = base;
    this.overwrite = overwrite;
  }

  /** Makes what the tasks did visible. */
  public void commit(WriterCommitMessage[] messages) {
    commit(messages, Map.of());
  }

  /** As the form without properties; the snapshot carries them. */
  void commit(WriterCommitMessage[] messages, Map<String, String> properties) {
    if (Arrays.asList(messages).contains(null)) {
      throw new IllegalStateException("a task sent no message, so its rows would be missing");
    }
    List<BucketChange> changes = ObelusCommitMessage.changes(messages);
    Commit commit = new Commit(table, base).withProperties(properties);
    try {
      changes.addAll(ObelusCommitMessage.struckOut(messages).changes(table, base));
      Optional<Snapshot> made =
          overwrite == null ? add(commit, changes) : overwrite(commit, changes);
      made.ifPresent(snapshot -> AfterCommit.run(table, snapshot));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<Snapshot> add(Commit commit, List<BucketChange> changes) throws IOException {
    begun = true;
    return commit.commit(changes);
  }

  private Optional<Snapshot> overwrite(Commit commit, List<BucketChange> changes)
      throws IOException {
    Set<RowBytes> written = new LinkedHashSet<>();
    changes.forEach(change -> written.add(change.bucket().partition()));
    Predicate<RowBytes> replaced = overwrite.replaced(written);
    for (RowBytes partition : written) {
      if (!replaced.test(partition)) {
        throw new IllegalArgumentException(
            table.name()
                + ": the rows to be written belong to partition ["
                + new io.obelus.core.table.schema.PartitionPath(table.schema()).of(partition)
                + "], which the condition of the overwrite does not replace. Write only rows that"
                + " fulfil the condition.");
      }
    }
    begun = true;
    return commit.overwrite(changes, replaced);
  }

  /**
   * Deletes what the tasks wrote, unless a commit has begun: then the commit itself knows what may
   * be deleted, and the snapshot may be there although it failed.
   */
  public void abort(WriterCommitMessage[] messages) {
    if (!begun) {
      new Commit(table, base).abort(ObelusCommitMessage.changes(messages));
    }
  }
}
