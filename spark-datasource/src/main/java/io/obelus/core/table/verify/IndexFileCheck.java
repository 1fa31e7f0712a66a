package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Each file that the index manifest names is there and has its size, and a bucket has at most one
 * of each kind; only an append bucket without a number of buckets may have several deletion files.
 */
final class IndexFileCheck implements Check<State> {

  static final String NAME = "index_file";

  private static final long HASH_BYTES = 4;

  @Override
  public void check(State state, Report report) throws IOException {
    Map<BucketId, Integer> totalBuckets = new HashMap<>();
    for (ManifestEntry entry : state.live()) {
      totalBuckets.put(entry.bucket(), entry.totalBuckets());
    }
    Set<String> seen = new HashSet<>();
    for (IndexEntry entry : state.index()) {
      check(state.places(), state.sizes(), entry, report, Mend.ROLLBACK, entry.fileName());
      boolean single =
          state.table().schema().keyed() || totalBuckets.getOrDefault(entry.bucket(), -1) > 0;
      if (single && !seen.add(entry.type() + entry.bucket())) {
        report.error(
            NAME,
            state.places().of(entry),
            "it is a second file of type %s of its bucket, which should have one"
                .formatted(entry.type()),
            Mend.ROLLBACK,
            entry.fileName());
      }
    }
  }

  /** Checks the file of one entry. */
  static void check(
      Places places, FileSizes sizes, IndexEntry entry, Report report, Mend mend, String subject)
      throws IOException {
    Where unknown = new Where(null, entry.bucket().bucket(), entry.fileName(), null);
    report.guard(
        NAME,
        unknown,
        mend,
        subject,
        () -> {
          Where where = places.of(entry);
          sizes.check(report, NAME, where, entry.fileSize(), mend, subject);
          if (entry.type().equals(IndexEntry.HASH)
              && entry.fileSize() != entry.rowCount() * HASH_BYTES) {
            report.error(
                NAME,
                where,
                "%d hashes should take %d bytes but take %d"
                    .formatted(entry.rowCount(), entry.rowCount() * HASH_BYTES, entry.fileSize()),
                mend,
                subject);
          }
        });
  }
}
