package io.obelus.core.table.commit;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.function.Predicate;

/** Says in words what a commit ran into. */
record Conflicts(Table table, Snapshot base) {

  /** The table as the changes saw it. */
  State baseState(Predicate<RowBytes> partitions) throws IOException {
    try {
      return State.of(table, base, partitions);
    } catch (FileNotFoundException e) {
      throw new CommitConflictException(
          ("table %s: %s, which this commit was made from, has expired meanwhile (%s). "
                  + "Nothing of it was committed; run the statement again.")
              .formatted(table.name(), name(base), e.getMessage()));
    }
  }

  /** Somebody else was faster in a bucket. */
  CommitConflictException changed(BucketId bucket, Snapshot latest) {
    return new CommitConflictException(
        ("%s was changed by another commit: this one was made from %s, the newest is %s. "
                + "Nothing of it was committed; run the statement again.")
            .formatted(name(bucket), name(base), name(latest)));
  }

  String name(BucketId bucket) {
    String partition = new PartitionPath(table.schema()).of(bucket.partition());
    return "table %s, %sbucket %d"
        .formatted(
            table.name(),
            partition.isEmpty() ? "" : "partition " + partition + ", ",
            bucket.bucket());
  }

  private static String name(Snapshot snapshot) {
    return snapshot == null ? "the empty table" : "snapshot " + snapshot.id();
  }
}
