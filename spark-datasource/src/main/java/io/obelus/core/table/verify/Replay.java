package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.table.manifest.FileIdentity;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the manifests of a snapshot, as {@link io.obelus.core.table.snapshot.LiveFiles} does, but
 * goes on where that gives up: at a list or manifest that cannot be read, at a file that is added
 * twice or deleted without having been added.
 */
final class Replay {

  static final String LIST = "manifest_list";
  static final String MANIFEST = "manifest";
  static final String ENTRY = "manifest_entry";
  static final String INDEX = "index_manifest";

  private final Table table;
  private final Snapshot snapshot;
  private final Report report;
  private final Places places;
  private final Manifests manifests;
  private final Map<FileIdentity, ManifestEntry> live = new LinkedHashMap<>();
  private final Set<String> read = new HashSet<>();
  private boolean complete = true;

  private Replay(Table table, Snapshot snapshot, Report report) {
    this.table = table;
    this.snapshot = snapshot;
    this.report = report;
    this.places = Places.of(table);
    this.manifests = new Manifests(table.storage(), table.directory());
  }

  /** Reads all there is of a snapshot. */
  static State of(Table table, Snapshot snapshot, FileSizes sizes, Report report)
      throws IOException {
    return new Replay(table, snapshot, report).run(sizes);
  }

  private State run(FileSizes sizes) throws IOException {
    replay(snapshot.baseManifestList(), snapshot.baseManifestListSize());
    List<ManifestEntry> before = complete ? List.copyOf(live.values()) : null;
    List<ManifestEntry> changes =
        replay(snapshot.deltaManifestList(), snapshot.deltaManifestListSize());
    checkNames();
    return new State(
        table,
        snapshot,
        List.copyOf(live.values()),
        before,
        changes,
        index(),
        complete,
        places,
        sizes);
  }

  /** Replays the manifests of a list; returns their entries. */
  private List<ManifestEntry> replay(String list, Long size) throws IOException {
    List<ManifestFile> files = new ArrayList<>();
    complete &=
        report.guard(
            LIST,
            places.manifest(list),
            Mend.ROLLBACK,
            list,
            () -> files.addAll(manifests.readList(list, size)));
    List<ManifestEntry> all = new ArrayList<>();
    for (ManifestFile file : files) {
      if (read.add(file.name())) {
        all.addAll(replay(file));
      } else {
        report.error(
            LIST,
            places.manifest(list),
            "manifest " + file.name() + " is listed twice",
            Mend.ROLLBACK,
            list);
      }
    }
    return all;
  }

  private List<ManifestEntry> replay(ManifestFile file) throws IOException {
    Where where = places.manifest(file.name());
    List<ManifestEntry> entries = new ArrayList<>();
    boolean whole =
        report.guard(
            MANIFEST,
            where,
            Mend.ROLLBACK,
            file.name(),
            () -> manifests.read(file, bucket -> true, entries::add));
    if (!whole) {
      complete = false;
      return List.of();
    }
    report.guard(
        MANIFEST,
        where,
        Mend.COMPACT_MANIFEST,
        null,
        () -> new ManifestCheck().check(new ManifestCheck.Read(table, file, entries), report));
    for (ManifestEntry entry : entries) {
      apply(entry, file);
    }
    return entries;
  }

  private void apply(ManifestEntry entry, ManifestFile manifest) {
    FileIdentity identity = FileIdentity.of(entry);
    boolean adds = entry.kind() == ManifestEntry.Kind.ADD;
    if (adds && live.putIfAbsent(identity, entry) != null) {
      report(entry, manifest, "manifest %s adds the file, which is there already");
    } else if (!adds && live.remove(identity) == null && complete) {
      report(entry, manifest, "manifest %s deletes the file, which no manifest before it added");
    }
  }

  private void report(ManifestEntry entry, ManifestFile manifest, String problem) {
    report.error(
        ENTRY, where(entry), problem.formatted(manifest.name()), Mend.ROLLBACK, manifest.name());
  }

  private Where where(ManifestEntry entry) {
    try {
      return places.of(entry.bucket(), entry.file());
    } catch (RuntimeException e) { // the partition cannot be read, which is found elsewhere
      return new Where(null, entry.bucket().bucket(), entry.file().name(), null);
    }
  }

  private record Name(BucketId bucket, String name) {}

  /** A file may be live once only, whatever else its entries say of it. */
  private void checkNames() {
    Set<Name> names = new HashSet<>();
    for (ManifestEntry entry : live.values()) {
      if (!names.add(new Name(entry.bucket(), entry.file().name()))) {
        report.error(
            ENTRY,
            where(entry),
            "the file is live twice: on two levels, or with two indexes",
            Mend.ROLLBACK,
            entry.file().name());
      }
    }
  }

  private List<IndexEntry> index() throws IOException {
    List<IndexEntry> entries = new ArrayList<>();
    String name = snapshot.indexManifest();
    if (name != null) {
      report.guard(
          INDEX,
          places.manifest(name),
          Mend.ROLLBACK,
          name,
          () -> entries.addAll(manifests.readIndex(name)));
    }
    return entries;
  }
}
