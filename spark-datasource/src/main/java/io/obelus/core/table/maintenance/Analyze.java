package io.obelus.core.table.maintenance;

import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableStatistics;
import java.io.IOException;
import java.util.Optional;

/**
 * Keeps what was found out about the rows of a snapshot (spec chapter 03), in a snapshot of its
 * own. No row and no data file changes.
 */
public final class Analyze {

  private Analyze() {}

  /**
   * Does it.
   *
   * @param analyzed snapshot that was read
   * @return the new snapshot
   * @throws io.obelus.core.io.CommitConflictException if the columns were changed meanwhile
   */
  public static Optional<Snapshot> run(Table table, Snapshot analyzed, TableStatistics statistics)
      throws IOException {
    table.options().checkWritable();
    Optional<Snapshot> made = new Commit(table, analyzed).statistics(statistics);
    made.ifPresent(snapshot -> AfterCommit.run(table, snapshot));
    return made;
  }
}
