package io.obelus.core.table.maintenance;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes a tag, and the files that nothing but the tag kept (spec chapter 12). The tag goes first:
 * whenever it is interrupted, what is left behind is for {@link RemoveOrphanFiles}.
 */
public final class DeleteTag {

  /**
   * What was done.
   *
   * @param snapshot number of the snapshot that the tag held
   * @param files number of files deleted beside the tag
   */
  public record Result(String tag, long snapshot, long files) {}

  private final Table table;
  private final Tag tag;
  private final Snapshots snapshots;

  private DeleteTag(Table table, Tag tag) {
    this.table = table;
    this.tag = tag;
    this.snapshots = table.snapshots();
  }

  /** Deletes a tag; IllegalArgumentException names the tags there are if it is not one. */
  public static Result of(Table table, String name) throws IOException {
    return new DeleteTag(table, table.tags().get(name)).run();
  }

  private Result run() throws IOException {
    Snapshot held = tag.snapshot();
    Set<String> files = expired(held) ? files(held) : Set.of();
    table.tags().delete(tag.name());
    // Once more: it may have come back, by a rollback to this very tag.
    long deleted = expired(held) ? delete(files) : 0;
    return new Result(tag.name(), held.id(), deleted);
  }

  /** Whether the snapshot has expired. One that was rolled back has not: see {@link #delete}. */
  private boolean expired(Snapshot held) throws IOException {
    Optional<Snapshot> earliest = snapshots.earliest();
    return earliest.isPresent() && held.id() < earliest.get().id();
  }

  private Set<String> files(Snapshot held) throws IOException {
    References references = new References(table);
    Set<String> files = new LinkedHashSet<>(references.dataFiles(held, bucket -> true));
    files.addAll(references.indexFiles(held).keySet());
    files.addAll(references.metadata(held));
    return files;
  }

  private Set<String> files(List<Snapshot> history) throws IOException {
    References references = new References(table);
    Set<String> files = references.dataFiles(history, bucket -> true);
    for (Snapshot snapshot : history) {
      files.addAll(references.indexFiles(snapshot).keySet());
      files.addAll(references.metadata(snapshot));
    }
    return files;
  }

  /**
   * Deletes what neither another tag, nor another history, nor the oldest snapshot needs. Of the
   * snapshots in its own history the oldest speaks for all: what the tag has and the oldest has
   * not, no later one has.
   */
  private long delete(Set<String> files) throws IOException {
    Set<String> left = new LinkedHashSet<>(files);
    Keepers keepers = Keepers.of(table, Map.of());
    for (List<Snapshot> kept :
        List.of(snapshots.earliest().stream().toList(), keepers.tagged(), keepers.strangers())) {
      for (Snapshot keeper : kept) {
        if (left.isEmpty()) {
          return 0;
        }
        left.removeAll(files(keeper));
      }
    }
    for (List<Snapshot> history : keepers.others()) {
      left.removeAll(files(history));
    }
    for (String file : left) {
      table.storage().delete(file);
    }
    return left.size();
  }
}
