package io.obelus.core.table.maintenance;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a table's options want done after each commit: a tag is made if one is due, old snapshots
 * expire. The commit stands whatever becomes of it, so a failure is a warning that says what to
 * run.
 */
public final class AfterCommit {

  private static final Logger LOG = LoggerFactory.getLogger(AfterCommit.class);

  private AfterCommit() {}

  /**
   * Does it, unless the table is {@code write-only}. Never throws.
   *
   * @param table as the commit had it, options of the statement included
   */
  public static void run(Table table, Snapshot committed) {
    try {
      if (table.options().writeOnly()) {
        return;
      }
      AutomaticTags.after(table, committed);
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Snapshot {} of table {} is committed, but the tag that is due could not be made, or old"
              + " ones not deleted: {}. The next commit tries again; to make it now, run CALL"
              + " sys.create_tag(table => '{}', tag => '...', snapshot => {}).",
          committed.id(),
          table.name(),
          e.getMessage(),
          table.name(),
          committed.id(),
          e);
    }
    try {
      ExpireSnapshots.after(table, committed.id(), System.currentTimeMillis());
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Snapshot {} of table {} is committed, but older snapshots could not expire: {}. Run"
              + " CALL sys.expire_snapshots(table => '{}') to try again.",
          committed.id(),
          table.name(),
          e.getMessage(),
          table.name(),
          e);
    }
  }
}
