package io.obelus.core.table.scan;

import io.obelus.core.table.snapshot.Table;
import java.io.FileNotFoundException;

/** Says in words what a task ran into whose files have gone. */
final class MissingFile {

  private MissingFile() {}

  /** The error of a read for one that names a file only. */
  static FileNotFoundException explained(Table table, FileNotFoundException missing) {
    FileNotFoundException explained =
        new FileNotFoundException(
            "%s: %s. If its snapshot has expired since this began, run the statement again; 'snapshot.time-retained' and 'snapshot.num-retained.min' keep snapshots longer"
                .formatted(table.name(), missing.getMessage()));
    explained.initCause(missing);
    return explained;
  }
}
