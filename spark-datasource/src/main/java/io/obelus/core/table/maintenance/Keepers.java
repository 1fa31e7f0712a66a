package io.obelus.core.table.maintenance;

import io.obelus.core.table.snapshot.Branches;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What keeps files beside the snapshots of a table: its tags and its branches.
 *
 * <p>Along one history a file comes once and goes once. So of the snapshots below a number, those
 * that have a file which is gone at that number are the newest ones, and the nearest tag below it
 * speaks for all tags below it. A snapshot of another history (of a branch, or one that was rolled
 * back) says nothing about ours and has to be asked each time. Of a branch the oldest snapshot and
 * the tags are enough: what it took over from us it can only lose.
 *
 * @param tagged snapshots of tags in the history of the table, ascending
 * @param strangers snapshots of other histories
 */
record Keepers(List<Snapshot> tagged, List<Snapshot> strangers) {

  /**
   * As they are now.
   *
   * @param known snapshots of the table that were read before; they may be gone by now
   */
  static Keepers of(Table table, Map<Long, Snapshot> known) throws IOException {
    List<Snapshot> tagged = new ArrayList<>();
    List<Snapshot> strangers = new ArrayList<>();
    long first = known.keySet().stream().mapToLong(Long::longValue).min().orElse(0);
    for (Tag tag : table.tags().all()) {
      Snapshot snapshot = tag.snapshot();
      boolean ours =
          snapshot.id() < first || Snapshot.same(snapshot, of(table.snapshots(), known, snapshot));
      (ours ? tagged : strangers).add(snapshot);
    }
    tagged.sort(Comparator.comparingLong(Snapshot::id));
    Branches branches = table.branches();
    for (String branch : branches.names()) {
      branches.snapshots(branch).earliest().ifPresent(strangers::add);
      branches.tags(branch).all().forEach(tag -> strangers.add(tag.snapshot()));
    }
    return new Keepers(List.copyOf(tagged), List.copyOf(strangers));
  }

  private static Snapshot of(Snapshots snapshots, Map<Long, Snapshot> known, Snapshot like)
      throws IOException {
    Snapshot found = known.get(like.id());
    return found != null ? found : snapshots.find(like.id()).orElse(null);
  }

  /** Those that may need a data file which is gone since snapshot {@code id}. */
  List<Snapshot> below(long id) {
    List<Snapshot> keepers = new ArrayList<>(strangers);
    tagged.stream()
        .filter(snapshot -> snapshot.id() < id)
        .reduce((older, newer) -> newer)
        .ifPresent(keepers::add);
    return keepers;
  }

  /**
   * Those that may need something of the snapshots {@code [from, to)} which {@code to} does not.
   */
  List<Snapshot> between(long from, long to) {
    List<Snapshot> keepers = below(from);
    tagged.stream()
        .filter(snapshot -> snapshot.id() >= from && snapshot.id() < to)
        .forEach(keepers::add);
    return keepers;
  }
}
