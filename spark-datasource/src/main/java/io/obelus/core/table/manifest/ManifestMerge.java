package io.obelus.core.table.manifest;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.row.RowBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes fewer or cleaner manifests of those of a snapshot (spec chapter 04): all that are small or
 * hold deletes when they have become too large together, else runs of small ones. The state they
 * replay to stays the same, and so does the order of a DELETE and its ADD.
 */
final class ManifestMerge {

  private static final Predicate<BucketId> ALL = bucket -> true;

  private final Manifests manifests;
  private final PartitionStats partitions;
  private final ManifestWriter.Settings settings;
  private final ManifestWriter writer;

  ManifestMerge(
      Manifests manifests,
      PartitionStats partitions,
      ManifestWriter.Settings settings,
      ManifestWriter writer) {
    this.manifests = manifests;
    this.partitions = partitions;
    this.settings = settings;
    this.writer = writer;
  }

  List<ManifestFile> merge(List<ManifestFile> files) throws IOException {
    Optional<List<ManifestFile>> full = full(files);
    return full.isPresent() ? full.get() : minor(files);
  }

  private boolean mustChange(ManifestFile file) {
    return file.deleted() > 0 || file.size() < settings.targetSize();
  }

  /**
   * One look at the deletes, one pass that leaves out what they delete; nothing is held but them.
   */
  private Optional<List<ManifestFile>> full(List<ManifestFile> files) throws IOException {
    long size = files.stream().filter(this::mustChange).mapToLong(ManifestFile::size).sum();
    if (size < settings.fullCompactionThreshold()) {
      return Optional.empty();
    }
    Deletes deletes = new Deletes();
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i).deleted() > 0) {
        List<ManifestEntry> entries = entries(files.get(i));
        for (int j = 0; j < entries.size(); j++) {
          deletes.note(entries.get(j), position(i, j));
        }
      }
    }
    List<ManifestFile> kept = new ArrayList<>();
    List<Integer> rewritten = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (mustChange(files.get(i)) || deletes.mayTouch(files.get(i))) {
        rewritten.add(i);
      } else {
        kept.add(files.get(i));
      }
    }
    if (rewritten.size() <= 1) {
      return Optional.empty();
    }
    ManifestWriter.Rolling out = writer.rolling();
    for (int i : rewritten) {
      List<ManifestEntry> entries = entries(files.get(i));
      for (int j = 0; j < entries.size(); j++) {
        ManifestEntry entry = entries.get(j);
        if (entry.kind() == ManifestEntry.Kind.ADD
            && !deletes.isDeletedAfter(entry, position(i, j))) {
          out.add(entry);
        }
      }
    }
    kept.addAll(out.finish());
    return Optional.of(kept);
  }

  private List<ManifestEntry> entries(ManifestFile file) throws IOException {
    List<ManifestEntry> entries = new ArrayList<>();
    manifests.read(file, ALL, entries::add);
    return entries;
  }

  /** Place of an entry in the order of all entries. */
  private static long position(int manifest, int entry) {
    return (long) manifest << 32 | entry;
  }

  /** What is deleted, and where at the latest: a file may be deleted and added again. */
  private final class Deletes {
    private final Map<FileIdentity, Long> last = new HashMap<>();
    private final Set<RowBytes> deletedPartitions = new HashSet<>();

    void note(ManifestEntry entry, long position) {
      if (entry.kind() == ManifestEntry.Kind.DELETE) {
        last.put(FileIdentity.of(entry), position);
        deletedPartitions.add(entry.bucket().partition());
      }
    }

    boolean isDeletedAfter(ManifestEntry added, long position) {
      Long deleted = last.get(FileIdentity.of(added));
      return deleted != null && deleted > position;
    }

    boolean mayTouch(ManifestFile file) {
      return deletedPartitions.stream()
          .anyMatch(partition -> partitions.mayHold(file.partitionStats(), partition));
    }
  }

  private List<ManifestFile> minor(List<ManifestFile> files) throws IOException {
    List<ManifestFile> result = new ArrayList<>();
    List<ManifestFile> group = new ArrayList<>();
    long size = 0;
    for (ManifestFile file : files) {
      group.add(file);
      size += file.size();
      if (size >= settings.targetSize()) {
        result.addAll(mergeGroup(group));
        group.clear();
        size = 0;
      }
    }
    result.addAll(group.size() >= settings.mergeMinCount() ? mergeGroup(group) : group);
    return result;
  }

  private List<ManifestFile> mergeGroup(List<ManifestFile> group) throws IOException {
    if (group.size() <= 1) {
      return List.copyOf(group);
    }
    Net net = new Net();
    for (ManifestFile file : group) {
      Place place = Place.startOf(manifests.directory().manifest(file.name()));
      manifests.read(file, ALL, entry -> net.add(entry, place));
    }
    return writer.write(net.entries());
  }

  /**
   * What entries come to. A delete whose file was added before the group is kept, and stands before
   * all that is added.
   */
  private static final class Net {
    private final List<ManifestEntry> deletes = new ArrayList<>();
    private final Map<FileIdentity, ManifestEntry> adds = new LinkedHashMap<>();

    void add(ManifestEntry entry, Place place) {
      FileIdentity identity = FileIdentity.of(entry);
      if (entry.kind() == ManifestEntry.Kind.DELETE) {
        if (adds.remove(identity) == null) {
          deletes.add(entry);
        }
      } else if (adds.put(identity, entry) != null) {
        throw new CorruptFileException(place, "adds " + entry.file().name() + ", which is there");
      }
    }

    List<ManifestEntry> entries() {
      List<ManifestEntry> entries = new ArrayList<>(deletes);
      entries.addAll(adds.values());
      return entries;
    }
  }
}
