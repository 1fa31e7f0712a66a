package io.obelus.core.table.verify;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.table.manifest.FileIdentity;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A snapshot starts from what the one before it left. */
final class PredecessorCheck implements Check<State> {

  static final String NAME = "predecessor";

  @Override
  public void check(State state, Report report) throws IOException {
    if (state.before() == null) {
      return;
    }
    long id = state.snapshot().id();
    List<ManifestEntry> left;
    try {
      Optional<Snapshot> before = state.table().snapshots().find(id - 1);
      if (before.isEmpty()) {
        return;
      }
      left = new LiveFiles(state.table(), before.get()).entries(bucket -> true);
    } catch (CorruptFileException | FileNotFoundException e) {
      return; // what is wrong with that one is found where all snapshots are looked at
    }
    missing(
        state,
        report,
        left,
        state.before(),
        "part of snapshot %d, but snapshot %d starts without it");
    missing(
        state,
        report,
        state.before(),
        left,
        "no part of snapshot %d, but snapshot %d starts with it");
  }

  /** Reports which of these are not among those. */
  private static void missing(
      State state,
      Report report,
      List<ManifestEntry> these,
      List<ManifestEntry> those,
      String problem)
      throws IOException {
    Set<FileIdentity> present = those.stream().map(FileIdentity::of).collect(Collectors.toSet());
    long id = state.snapshot().id();
    for (ManifestEntry entry : these) {
      if (!present.contains(FileIdentity.of(entry))) {
        report.error(
            NAME,
            state.places().of(entry.bucket(), entry.file()),
            ("it is " + problem).formatted(id - 1, id),
            Mend.ROLLBACK,
            state.snapshot().baseManifestList());
      }
    }
  }
}
