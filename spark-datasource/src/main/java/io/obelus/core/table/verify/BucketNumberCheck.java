package io.obelus.core.table.verify;

import io.obelus.core.row.RowBytes;
import io.obelus.core.table.manifest.ManifestEntry;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** A bucket's number is below the number of buckets, of which a partition has one. */
final class BucketNumberCheck implements Check<State> {

  static final String NAME = "bucket_number";

  private static final int POSTPONE = -2;

  @Override
  public void check(State state, Report report) throws IOException {
    Map<RowBytes, ManifestEntry> first = new HashMap<>();
    for (ManifestEntry entry : state.live()) {
      int bucket = entry.bucket().bucket();
      int total = entry.totalBuckets();
      if ((bucket < 0 && bucket != POSTPONE) || (total > 0 && bucket >= total)) {
        report(state, report, entry, "it is in bucket %d of %d".formatted(bucket, total));
      }
      ManifestEntry other = total > 0 ? first.putIfAbsent(entry.bucket().partition(), entry) : null;
      if (other != null && other.totalBuckets() != total) {
        report(
            state,
            report,
            entry,
            "it was written for %d buckets, but file %s of the same partition for %d"
                .formatted(total, other.file().name(), other.totalBuckets()));
      }
    }
  }

  private static void report(State state, Report report, ManifestEntry entry, String problem)
      throws IOException {
    String name = entry.file().name();
    report.guard(
        NAME,
        new Where(null, entry.bucket().bucket(), name, null),
        Mend.ROLLBACK,
        name,
        () ->
            report.error(
                NAME,
                state.places().of(entry.bucket(), entry.file()),
                problem,
                Mend.ROLLBACK,
                name));
  }
}
