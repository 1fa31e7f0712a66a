package io.obelus.core.table.verify;

import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.snapshot.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The row counts of a snapshot are those of its manifests. */
final class RecordCountCheck implements Check<State> {

  static final String NAME = "record_count";

  @Override
  public void check(State state, Report report) throws IOException {
    if (!state.complete()) {
      return;
    }
    Snapshot snapshot = state.snapshot();
    compare(state, report, "totalRecordCount", snapshot.totalRecordCount(), rows(state.live()));
    compare(state, report, "deltaRecordCount", snapshot.deltaRecordCount(), rows(state.changes()));
    if (snapshot.changelogManifestList() != null && snapshot.changelogRecordCount() != null) {
      report.guard(
          Replay.LIST,
          state.places().manifest(snapshot.changelogManifestList()),
          Mend.ROLLBACK,
          snapshot.changelogManifestList(),
          () ->
              compare(
                  state,
                  report,
                  "changelogRecordCount",
                  snapshot.changelogRecordCount(),
                  rows(changelog(state))));
    }
  }

  private static long rows(List<ManifestEntry> entries) {
    return entries.stream()
        .mapToLong(
            entry ->
                entry.kind() == ManifestEntry.Kind.ADD
                    ? entry.file().rowCount()
                    : -entry.file().rowCount())
        .sum();
  }

  private static List<ManifestEntry> changelog(State state) throws IOException {
    Manifests manifests = new Manifests(state.table().storage(), state.table().directory());
    Snapshot snapshot = state.snapshot();
    List<ManifestEntry> entries = new ArrayList<>();
    for (ManifestFile file :
        manifests.readList(
            snapshot.changelogManifestList(), snapshot.changelogManifestListSize())) {
      manifests.read(file, bucket -> true, entries::add);
    }
    return entries;
  }

  private static void compare(State state, Report report, String what, Long said, long found) {
    if (said != null && said != found) {
      long id = state.snapshot().id();
      report.warning(
          NAME,
          Where.file(state.table().directory().snapshot(id)),
          "%s of snapshot %d is %d, but its manifests come to %d rows"
              .formatted(what, id, said, found),
          Mend.ROLLBACK,
          state.snapshot().deltaManifestList());
    }
  }
}
