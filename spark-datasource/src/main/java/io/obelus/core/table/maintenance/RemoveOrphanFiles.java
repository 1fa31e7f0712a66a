package io.obelus.core.table.maintenance;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import io.obelus.core.table.snapshot.Tags;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes files below a table that no snapshot, tag or branch refers to: what crashed writes,
 * rollbacks and interrupted expiries left behind (spec chapter 12).
 *
 * <p>A write that is still going on has files that nothing refers to either; only their age tells
 * them apart. So a file is deleted only if it is older than the longest write may take. First the
 * old files are listed and only then what is referred to is read, so that a commit in between
 * counts. If anything cannot be read, nothing is deleted.
 *
 * <p>Files are told apart by their names, wherever they lie. It looks into {@code manifest}, {@code
 * index}, {@code statistics} and the directories of buckets, and for left-over temporary files
 * beside snapshots, tags and schemas, and of branches that were not made or deleted to the end. It
 * is the same for a table and for each of its branches. Data files on external paths are not looked
 * for.
 */
public final class RemoveOrphanFiles {

  /** A file that is gone: its path, bytes, and when it was last changed. */
  public record Orphan(String path, long size, Instant modified) {}

  private final Table table;
  private final Storage storage;
  private final Manifests manifests;
  private final Set<String> used = new HashSet<>();
  private final Set<String> manifestsRead = new HashSet<>();

  private RemoveOrphanFiles(Table table) {
    this.table = table;
    this.storage = table.storage();
    this.manifests = new Manifests(table.storage(), table.directory());
  }

  /**
   * Deletes orphans.
   *
   * @param olderThan only files last changed before; in the past
   * @param dryRun only say what would be done
   * @throws IllegalArgumentException if the table keeps changelogs longer than snapshots
   */
  public static List<Orphan> run(Table table, Instant olderThan, boolean dryRun)
      throws IOException {
    if (olderThan.isAfter(Instant.now())) {
      throw new IllegalArgumentException(
          "files older than %s would be any files, those of writes that go on now among them; give"
                  .formatted(olderThan)
              + " a time in the past");
    }
    table.options().checkExpirable();
    RemoveOrphanFiles removal = new RemoveOrphanFiles(table);
    List<Orphan> orphans = removal.candidates(olderThan);
    removal.readUsed();
    orphans.removeIf(orphan -> removal.used.contains(name(orphan.path())));
    if (dryRun) {
      return orphans;
    }
    List<Orphan> deleted = new ArrayList<>();
    for (Orphan orphan : orphans) {
      if (table.storage().delete(orphan.path())) { // else somebody else was faster
        deleted.add(orphan);
      }
    }
    return deleted;
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private List<Orphan> candidates(Instant olderThan) throws IOException {
    List<Orphan> files = new ArrayList<>();
    String root = table.directory().root();
    for (String directory : List.of("manifest", "index", "statistics")) {
      files.addAll(old(root + "/" + directory, olderThan));
    }
    addBuckets(root, table.schema().partitionKeys().size(), olderThan, files);
    for (TableDirectory history : table.branches().histories()) {
      addTemporary(history, olderThan, files);
    }
    for (Storage.Entry entry : storage.list(table.directory().branches())) {
      if (entry.isDirectory() && entry.name().matches("\\..+\\.(tmp|dropped)")) {
        String hidden = table.directory().branches() + "/" + entry.name();
        for (String directory : List.of("schema", "snapshot", "tag", "consumer")) {
          files.addAll(old(hidden + "/" + directory, olderThan));
        }
      }
    }
    return files;
  }

  /** In these directories a file that is no temporary one means something by itself. */
  private void addTemporary(TableDirectory of, Instant olderThan, List<Orphan> files)
      throws IOException {
    for (String directory : List.of(of.snapshots(), of.tags(), of.schemas(), of.consumers())) {
      old(directory, olderThan).stream()
          .filter(file -> name(file.path()).matches("\\..+\\.tmp"))
          .forEach(files::add);
    }
  }

  /** Walks down one level for each partition column. */
  private void addBuckets(String directory, int levels, Instant olderThan, List<Orphan> files)
      throws IOException {
    for (Storage.Entry entry : storage.list(directory)) {
      String path = directory + "/" + entry.name();
      if (!entry.isDirectory()) {
        continue;
      } else if (levels > 0 && entry.name().contains("=")) {
        addBuckets(path, levels - 1, olderThan, files);
      } else if (levels == 0 && entry.name().startsWith("bucket-")) {
        files.addAll(old(path, olderThan));
      }
    }
  }

  private List<Orphan> old(String directory, Instant olderThan) throws IOException {
    List<Orphan> files = new ArrayList<>();
    for (Storage.Entry entry : storage.list(directory)) {
      Instant modified = Instant.ofEpochMilli(entry.modifiedMillis());
      if (!entry.isDirectory() && modified.isBefore(olderThan)) {
        files.add(new Orphan(directory + "/" + entry.name(), entry.size(), modified));
      }
    }
    return files;
  }

  /**
   * Reads what is referred to. Snapshots come before tags: one that expires in between and has a
   * tag is found there.
   */
  private void readUsed() throws IOException {
    for (TableDirectory history : table.branches().histories()) {
      readHistory(new Snapshots(storage, history), new Tags(storage, history));
    }
  }

  private interface Lookup {
    Optional<Snapshot> get() throws IOException;
  }

  private void readHistory(Snapshots snapshots, Tags tags) throws IOException {
    for (Snapshot snapshot : snapshots.all()) {
      read(snapshot, () -> snapshots.find(snapshot.id()));
    }
    for (Tag tag : tags.all()) {
      read(tag.snapshot(), () -> tags.find(tag.name()).map(Tag::snapshot));
    }
  }

  private void read(Snapshot snapshot, Lookup again) throws IOException {
    try {
      read(snapshot);
    } catch (FileNotFoundException e) {
      if (again.get().filter(now -> Snapshot.same(now, snapshot)).isPresent()) {
        throw new IOException(
            "%s: a file of snapshot %d is missing, so it cannot be told what is in use; nothing was deleted: %s"
                .formatted(table.name(), snapshot.id(), e.getMessage()),
            e);
      } // else it has expired meanwhile
    }
  }

  private void read(Snapshot snapshot) throws IOException {
    for (String list : References.lists(snapshot)) {
      used.add(list);
      for (ManifestFile manifest : manifests.readList(list)) {
        used.add(manifest.name());
        if (!manifestsRead.contains(manifest.name())) {
          manifests.read(manifest, bucket -> true, this::use);
          manifestsRead.add(manifest.name()); // after it: another snapshot has to miss it too
        }
      }
    }
    if (snapshot.indexManifest() != null) {
      used.add(snapshot.indexManifest());
      for (IndexEntry entry : manifests.readIndex(snapshot.indexManifest())) {
        used.add(entry.fileName());
      }
    }
    used.add(Objects.requireNonNullElse(snapshot.statistics(), ""));
  }

  private void use(ManifestEntry entry) {
    used.add(entry.file().name());
    used.addAll(entry.file().extraFiles());
  }
}
