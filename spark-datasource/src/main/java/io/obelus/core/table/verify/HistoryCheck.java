package io.obelus.core.table.verify;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Tag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Each snapshot and each tag can be read and has its files. Of a snapshot only its own changes are
 * looked at, since what was there before is part of the snapshot before it; of the oldest one and
 * of tags, everything.
 */
final class HistoryCheck implements Check<History> {

  static final String SNAPSHOT = "snapshot";
  static final String TAG = "tag";

  @Override
  public void check(History history, Report report) throws IOException {
    new Walk(history, report).run();
  }

  private interface Again {
    boolean isThere() throws IOException;
  }

  /** One pass over a history. */
  private static final class Walk {
    private final History history;
    private final Report report;
    private final Manifests manifests;
    private final Set<String> seen = new HashSet<>(); // lists, manifests, statistics

    Walk(History history, Report report) {
      this.history = history;
      this.report = report;
      this.manifests = new Manifests(history.table().storage(), history.table().directory());
    }

    void run() throws IOException {
      List<Long> ids = history.snapshots().ids();
      List<Snapshot> snapshots = new ArrayList<>();
      for (int i = 0; i < ids.size(); i++) {
        long id = ids.get(i);
        String keep = Integer.toString(ids.size() - 1 - i);
        Where where = Where.file(history.directory().snapshot(id));
        boolean last = i == ids.size() - 1;
        report.guard(
            SNAPSHOT,
            where,
            last ? Mend.RESTORE : Mend.EXPIRE,
            last ? where.file() : keep,
            () -> history.snapshots().find(id).ifPresent(snapshots::add));
        if (i > 0 && ids.get(i - 1) + 1 < id) {
          report.warning(
              SNAPSHOT,
              where,
              ("snapshots %d to %d are missing before it. If a rollback to %d was broken off, call it"
                      + " again; if the table went forward to a branch that no longer has them, let"
                      + " the older ones expire")
                  .formatted(ids.get(i - 1) + 1, id - 1, ids.get(i - 1)),
              Mend.EXPIRE,
              Integer.toString(ids.size() - i));
        }
      }
      for (int i = 0; i < snapshots.size(); i++) {
        Snapshot snapshot = snapshots.get(i);
        statistics(snapshot);
        if (Snapshot.same(snapshot, history.known())) {
          continue;
        }
        boolean follows = i > 0 && snapshots.get(i - 1).id() + 1 == snapshot.id();
        boolean last = i == snapshots.size() - 1;
        look(
            snapshot,
            SNAPSHOT,
            Where.file(history.directory().snapshot(snapshot.id())),
            !follows,
            last ? Mend.ROLLBACK : Mend.EXPIRE,
            last ? snapshot.deltaManifestList() : Integer.toString(snapshots.size() - 1 - i),
            () -> history.snapshots().find(snapshot.id()).isPresent());
      }
      tags(snapshots);
    }

    private void tags(List<Snapshot> snapshots) throws IOException {
      for (String name : history.tags().names()) {
        Where where = Where.file(history.directory().tag(name));
        List<Tag> found = new ArrayList<>();
        report.guard(
            TAG,
            where,
            Mend.RESTORE,
            where.file(),
            () -> history.tags().find(name).ifPresent(found::add));
        for (Tag tag : found) {
          boolean known =
              Snapshot.same(tag.snapshot(), history.known())
                  || snapshots.stream().anyMatch(s -> Snapshot.same(s, tag.snapshot()));
          if (!known) {
            look(
                tag.snapshot(),
                TAG,
                where,
                true,
                Mend.DELETE_TAG,
                name,
                () -> history.tags().find(name).isPresent());
          }
        }
      }
    }

    /**
     * Looks at the files of one snapshot.
     *
     * @param all whether at all of its data files, or at those that it added
     * @param again whether it is still there, else nothing is wrong with it
     */
    private void look(
        Snapshot snapshot,
        String check,
        Where where,
        boolean all,
        Mend mend,
        String subject,
        Again again)
        throws IOException {
      Report found = report.another();
      found.guard(
          check,
          where,
          mend,
          subject,
          () -> {
            lists(snapshot, found, mend, subject);
            LiveFiles live = new LiveFiles(history.table(), snapshot);
            for (ManifestEntry entry : all ? live.entries(b -> true) : added(live)) {
              DataFileCheck.check(history.places(), history.sizes(), entry, found, mend, subject);
            }
          });
      if (snapshot.indexManifest() != null && seen.add(snapshot.indexManifest())) {
        found.guard(
            check,
            where,
            mend,
            subject,
            () -> {
              for (IndexEntry entry : manifests.readIndex(snapshot.indexManifest())) {
                IndexFileCheck.check(
                    history.places(), history.sizes(), entry, found, mend, subject);
              }
            });
      }
      if (!found.problems().isEmpty() && again.isThere()) {
        report.addAll(found);
      }
    }

    private static List<ManifestEntry> added(LiveFiles live) throws IOException {
      List<ManifestEntry> added = new ArrayList<>();
      Set<String> gone = new HashSet<>();
      for (ManifestEntry entry : live.changes(bucket -> true)) {
        if (entry.kind() == ManifestEntry.Kind.ADD) {
          added.add(entry);
        } else {
          gone.add(entry.file().name() + entry.file().level());
        }
      }
      added.removeIf(entry -> gone.contains(entry.file().name() + entry.file().level()));
      return added;
    }

    /** The lists can be read, and their manifests are there. */
    private void lists(Snapshot snapshot, Report found, Mend mend, String subject)
        throws IOException {
      List<String> names = new ArrayList<>();
      names.add(snapshot.baseManifestList());
      names.add(snapshot.deltaManifestList());
      Optional.ofNullable(snapshot.changelogManifestList()).ifPresent(names::add);
      for (String list : names) {
        if (!seen.add(list)) {
          continue;
        }
        for (ManifestFile manifest : manifests.readList(list)) {
          if (seen.add(manifest.name())) {
            Where where = history.places().manifest(manifest.name());
            history.sizes().check(found, Replay.MANIFEST, where, manifest.size(), mend, subject);
          }
        }
      }
    }

    /** No answer depends on them, so that damage is a warning. */
    private void statistics(Snapshot snapshot) throws IOException {
      if (snapshot.statistics() == null || !seen.add(snapshot.statistics())) {
        return;
      }
      Where where = Where.file(history.table().directory().statistics(snapshot.statistics()));
      String problem = null;
      if (history.sizes().of(where.file()) == null) {
        problem = "the statistics file is missing";
      } else {
        try {
          history.table().statisticsFiles().of(snapshot);
        } catch (CorruptFileException e) {
          problem = e.getMessage();
        }
      }
      if (problem != null && history.snapshots().find(snapshot.id()).isPresent()) {
        report.warning(SNAPSHOT, where, problem, Mend.ANALYZE, null);
      }
    }
  }
}
