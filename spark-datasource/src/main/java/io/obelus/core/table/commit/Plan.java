package io.obelus.core.table.commit;

import io.obelus.core.table.snapshot.Snapshot;
import java.io.IOException;
import java.util.Optional;

/** What a commit wants to do, asked anew each time somebody else has been faster. */
interface Plan {

  /**
   * What follows {@code latest}; empty if there is nothing to do.
   *
   * @param latest null if the table has no snapshot
   * @throws io.obelus.core.io.CommitConflictException if the changes do not fit to it
   */
  Optional<Proposal> after(Snapshot latest) throws IOException;
}
