package io.obelus.core.table.maintenance;

import io.obelus.core.io.Storage;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes an older snapshot the newest one (spec chapter 12): what was committed after it is gone.
 * Schemas stay as they are, and so do the files of what is gone, until {@link RemoveOrphanFiles}.
 *
 * <p>Whenever it is interrupted, the table is at a snapshot between the newest one and the wanted
 * one, and rolling back again ends what was begun. A commit that somebody makes meanwhile is rolled
 * back too, or fails.
 *
 * <pre>
 *   tags above S        first: no tag may be left of a number that will be given again
 *   snapshot-S          if only a tag holds it; EARLIEST = S
 *   no LATEST           whoever looks, lists: the newest that is left is the newest
 *   snapshots above S   newest first, until there are none
 *   LATEST = S
 * </pre>
 *
 * <p>Hint LATEST may not say S before all above have gone: if S had expired there is a gap behind
 * it, and who trusts the hint would commit into the gap, below what is left.
 */
public final class Rollback {

  /**
   * What was done.
   *
   * @param from the snapshot that was the newest
   * @param to the one that is now
   * @param snapshots numbers of those that are gone, newest first
   * @param tags that are gone with them
   */
  public record Result(long from, long to, List<Long> snapshots, List<String> tags) {
    public Result {
      snapshots = List.copyOf(snapshots);
      tags = List.copyOf(tags);
    }
  }

  private final Table table;
  private final Snapshot target;
  private final Snapshots snapshots;

  private Rollback(Table table, Snapshot target) {
    this.table = table;
    this.target = target;
    this.snapshots = table.snapshots();
  }

  /**
   * Rolls back.
   *
   * @param target a snapshot or what a tag holds, from {@link
   *     io.obelus.core.table.snapshot.TimeTravel}
   * @param dryRun only say what would be done
   * @throws IllegalArgumentException if the target is not in the history of the newest snapshot
   */
  public static Result to(Table table, Snapshot target, boolean dryRun) throws IOException {
    Rollback rollback = new Rollback(table, target);
    Snapshot newest = rollback.check();
    return dryRun ? rollback.plan(newest) : rollback.run(newest);
  }

  private Snapshot check() throws IOException {
    Snapshot newest =
        snapshots
            .latest()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(table.name() + " has no snapshot to go back to"));
    Optional<Snapshot> present = snapshots.find(target.id());
    if (target.id() > newest.id()
        || (present.isPresent() && !Snapshot.same(present.get(), target))) {
      throw new IllegalArgumentException(
          "%s: the wanted snapshot %d was rolled back itself; snapshots of now are %s"
              .formatted(table.name(), target.id(), snapshots.ids()));
    }
    if (present.isEmpty() && hasChangelogs()) {
      throw new IllegalArgumentException(
          "%s: snapshot %d has expired but for a tag, and streams read %s/changelog beyond it;"
                  .formatted(table.name(), target.id(), table.directory().history())
              + " going back that far is not supported by this release");
    }
    return newest;
  }

  private boolean hasChangelogs() throws IOException {
    return table.storage().list(table.directory().history() + "/changelog").stream()
        .map(Storage.Entry::name)
        .anyMatch(name -> name.matches("changelog-\\d+"));
  }

  private List<Long> above() throws IOException {
    return snapshots.ids().stream()
        .filter(id -> id > target.id())
        .sorted((a, b) -> Long.compare(b, a))
        .toList();
  }

  private List<String> tagsAbove() throws IOException {
    return table.tags().all().stream()
        .filter(tag -> tag.snapshot().id() > target.id())
        .map(Tag::name)
        .toList();
  }

  private Result plan(Snapshot newest) throws IOException {
    return new Result(newest.id(), target.id(), above(), tagsAbove());
  }

  /** Whoever deletes the last tag looks for the snapshot afterwards, and we the other way round. */
  private void checkTagged() throws IOException {
    if (table.tags().all().stream().noneMatch(tag -> Snapshot.same(tag.snapshot(), target))) {
      snapshots.delete(target.id());
      throw new IllegalArgumentException(
          "%s: snapshot %d has expired, and its tag was deleted meanwhile"
              .formatted(table.name(), target.id()));
    }
  }

  private Result run(Snapshot newest) throws IOException {
    List<String> tags = tagsAbove();
    for (String tag : tags) {
      table.tags().delete(tag);
    }
    if (snapshots.create(target)) { // it had expired
      checkTagged();
      snapshots.setEarliest(target.id());
    }
    List<Long> gone = new ArrayList<>();
    for (List<Long> above = above(); !above.isEmpty(); above = above()) {
      snapshots.forgetLatest(); // again, after a commit that came in between
      for (long id : above) {
        snapshots.delete(id);
      }
      gone.addAll(above);
    }
    snapshots.setLatest(target.id());
    return new Result(newest.id(), target.id(), gone, tags);
  }
}
