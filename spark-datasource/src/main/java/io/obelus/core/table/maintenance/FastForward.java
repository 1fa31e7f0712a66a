package io.obelus.core.table.maintenance;

import io.obelus.core.io.CommitConflictException;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.schema.Schemas;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import io.obelus.core.table.snapshot.Tags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets a table go forward to one of its branches (spec chapter 12): it gets the snapshots, tags and
 * schemas of the branch. What was committed to the table itself since the two parted is gone, and
 * so are the tags of that. The branch stays.
 *
 * <p>The two parted after the newest snapshot that both have, be it only by a tag. If they have
 * none in common, nothing that the table has may be older than the branch: it would become the past
 * of snapshots that do not follow from it, and expiry would then delete files of theirs.
 *
 * <p>Whenever it is interrupted, the table reads as one of its own snapshots or one of the branch,
 * and the same call ends what was begun. Whoever commits to the table meanwhile fails, or is rolled
 * back; so nobody should.
 *
 * <pre>
 *   roll back      to the snapshot where they parted: see {@link Rollback}
 *   no LATEST      whoever looks, lists: the newest that is there is the newest
 *   schemas        those of the branch; no file of what is left has one of those replaced
 *   snapshot-N     of the branch, oldest first
 *   tags           of the branch
 *   LATEST
 * </pre>
 */
public final class FastForward {

  /**
   * What was done.
   *
   * @param from the snapshot that was the newest; 0 if there was none
   * @param to the one that is now
   * @param removed numbers of snapshots of the table that are gone, newest first
   * @param tagsRemoved tags of the table that are gone with them
   */
  public record Result(long from, long to, List<Long> removed, List<String> tagsRemoved) {
    public Result {
      removed = List.copyOf(removed);
      tagsRemoved = List.copyOf(tagsRemoved);
    }
  }

  private final Table table;
  private final Table branch;
  private final Snapshots snapshots;

  /** Of the branch, ascending. */
  private final List<Snapshot> theirs;

  private FastForward(Table table, Table branch) throws IOException {
    this.table = table;
    this.branch = branch;
    this.snapshots = table.snapshots();
    this.theirs = branch.snapshots().all();
  }

  /**
   * Goes forward.
   *
   * @param table not a branch itself
   * @param dryRun only say what would be done
   * @throws IllegalArgumentException if there is no such branch, it has no snapshot, a tag of both
   *     means two snapshots, or it cannot be told where the two parted
   * @throws CommitConflictException if somebody committed to the table meanwhile
   */
  public static Result to(Table table, String branch, boolean dryRun) throws IOException {
    if (!table.directory().isMain()) {
      throw new IllegalArgumentException(
          "%s is a branch; only the table itself goes forward to one of its branches"
              .formatted(table.name()));
    }
    FastForward forward = new FastForward(table, table.onBranch(branch));
    Snapshot first = forward.first();
    forward.checkTags(first);
    return dryRun ? forward.plan(first) : forward.run(first);
  }

  /**
   * Where they parted: the newest snapshot that both have. If they have none, the oldest of the
   * branch, which then has to be as old as anything that the table has.
   */
  private Snapshot first() throws IOException {
    if (theirs.isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no snapshot to go forward to".formatted(branch.name()));
    }
    Map<Long, List<Snapshot>> own = new HashMap<>();
    long oldest = Long.MAX_VALUE;
    for (Snapshot snapshot : kept(snapshots.all(), table.tags())) {
      own.computeIfAbsent(snapshot.id(), id -> new ArrayList<>()).add(snapshot);
      oldest = Math.min(oldest, snapshot.id());
    }
    Optional<Snapshot> common =
        kept(theirs, branch.tags()).stream()
            .filter(
                snapshot ->
                    own.containsKey(snapshot.id())
                        && own.get(snapshot.id()).stream()
                            .allMatch(same -> Snapshot.same(same, snapshot)))
            .max((a, b) -> Long.compare(a.id(), b.id()));
    if (common.isPresent()) {
      return common.get();
    }
    if (oldest < theirs.get(0).id()) {
      throw new IllegalArgumentException(
          ("%s: it cannot be told which of its snapshots and tags branch '%s' began with, since none"
                  + " from %d on is in the branch, which begins with %d by now. A branch has to keep"
                  + " a tag of where it began, and the table that tag or its snapshot.")
              .formatted(table.name(), branch.directory().branch(), oldest, theirs.get(0).id()));
    }
    return theirs.get(0);
  }

  private static List<Snapshot> kept(List<Snapshot> snapshots, Tags tags) throws IOException {
    List<Snapshot> all = new ArrayList<>(snapshots);
    tags.all().forEach(tag -> all.add(tag.snapshot()));
    return all;
  }

  private void checkTags(Snapshot first) throws IOException {
    for (Tag tag : branch.tags().all()) {
      Optional<Tag> own = table.tags().find(tag.name());
      if (own.isPresent()
          && isOfBoth(own.get().snapshot(), first)
          && !Snapshot.same(own.get().snapshot(), tag.snapshot())) {
        throw new IllegalArgumentException(
            "tag '%s' is snapshot %d of %s and snapshot %d of branch '%s'; rename one of the two"
                .formatted(
                    tag.name(),
                    own.get().snapshot().id(),
                    table.name(),
                    tag.snapshot().id(),
                    branch.directory().branch()));
      }
    }
  }

  /** Whether a snapshot of the table is from before the two parted. */
  private static boolean isOfBoth(Snapshot own, Snapshot first) {
    return own.id() < first.id() || Snapshot.same(own, first);
  }

  private List<Long> snapshotsRemoved(Snapshot first) throws IOException {
    return snapshots.all().stream()
        .filter(own -> !isOfBoth(own, first))
        .map(Snapshot::id)
        .sorted((a, b) -> Long.compare(b, a))
        .toList();
  }

  private List<String> tagsRemoved(Snapshot first) throws IOException {
    return table.tags().all().stream()
        .filter(tag -> !isOfBoth(tag.snapshot(), first))
        .map(Tag::name)
        .toList();
  }

  private Result plan(Snapshot first) throws IOException {
    return new Result(
        snapshots.latest().map(Snapshot::id).orElse(0L),
        theirs.get(theirs.size() - 1).id(),
        snapshotsRemoved(first),
        tagsRemoved(first));
  }

  private Result run(Snapshot first) throws IOException {
    Result result = plan(first);
    for (String tag : result.tagsRemoved()) {
      table.tags().delete(tag);
    }
    rollBack(first);
    copySchemas();
    for (Snapshot next : theirs) {
      if (next.id() > first.id()) {
        append(next);
      }
    }
    for (Tag tag : branch.tags().all()) {
      table
          .storage()
          .createIfAbsent(
              table.directory().tag(tag.name()),
              table.storage().read(branch.directory().tag(tag.name())));
    }
    snapshots.setLatest(result.to());
    return result;
  }

  /** Afterwards {@code first} is the newest snapshot, and there is no hint of another. */
  private void rollBack(Snapshot first) throws IOException {
    snapshots.forgetLatest();
    Optional<Snapshot> own = snapshots.find(first.id());
    if (own.isPresent() && !Snapshot.same(own.get(), first)) {
      // It is the oldest of the table, or they would have parted later; the table is never without.
      deleteAbove(first);
      table
          .storage()
          .overwrite(
              table.directory().snapshot(first.id()),
              table.storage().read(branch.directory().snapshot(first.id())));
      return;
    }
    if (own.isEmpty()) {
      append(first);
    }
    if (snapshots.ids().get(0) == first.id()) { // also if a call before died after the append
      snapshots.setEarliest(first.id());
    }
    deleteAbove(first);
  }

  private void deleteAbove(Snapshot first) throws IOException {
    for (List<Long> ids = above(first); !ids.isEmpty(); ids = above(first)) {
      snapshots.forgetLatest(); // again, after a commit that came in between
      for (long id : ids) {
        snapshots.delete(id);
      }
    }
  }

  private List<Long> above(Snapshot first) throws IOException {
    return snapshots.ids().stream()
        .filter(id -> id > first.id())
        .sorted((a, b) -> Long.compare(b, a))
        .toList();
  }

  private void append(Snapshot next) throws IOException {
    if (!snapshots.create(next) && !Snapshot.same(next, snapshots.find(next.id()).orElse(null))) {
      throw new CommitConflictException(
          ("%s: somebody else committed snapshot %d while the table went forward to branch '%s'. It"
                  + " is there, on top of what the branch had before; run the call again, which takes"
                  + " it back, when nobody writes to the table.")
              .formatted(table.name(), next.id(), branch.directory().branch()));
    }
  }

  private void copySchemas() throws IOException {
    Storage storage = table.storage();
    TableDirectory from = branch.directory();
    TableDirectory to = table.directory();
    List<Long> ids = new Schemas(storage, from).ids();
    List<Long> before = new Schemas(storage, to).ids();
    for (long id : ids) {
      byte[] content = storage.read(from.schema(id));
      if (!before.contains(id) || !Arrays.equals(content, storage.read(to.schema(id)))) {
        storage.overwrite(to.schema(id), content);
      }
    }
    for (int i = before.size() - 1; i >= 0; i--) {
      if (before.get(i) > ids.get(ids.size() - 1)) {
        storage.delete(to.schema(before.get(i)));
      }
    }
  }
}
