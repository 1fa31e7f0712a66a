package io.obelus.core.table.maintenance;

import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import io.obelus.core.table.snapshot.Tags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What keeps files beside the snapshots of a table: its tags, and all other histories. The other
 * histories of a table are its branches, those of a branch are the table itself and the other
 * branches.
 *
 * <p>Along one history a file comes once and goes once. So of the snapshots below a number, those
 * that have a file which is gone at that number are the newest ones, and the nearest tag below it
 * speaks for all tags below it. A tag of another history, or of one that was rolled back, says
 * nothing about ours and has to be asked each time. So have all snapshots of another history: a
 * branch that the table went forward to has files in the midst of its history that were the table's
 * own by then.
 *
 * @param tagged snapshots of tags in the history of the table, ascending
 * @param strangers snapshots of tags of other histories
 * @param others the snapshots of each other history, ascending
 */
record Keepers(List<Snapshot> tagged, List<Snapshot> strangers, List<List<Snapshot>> others) {

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
    List<List<Snapshot>> others = new ArrayList<>();
    for (TableDirectory history : table.branches().histories()) {
      if (!history.equals(table.directory())) {
        others.add(new Snapshots(table.storage(), history).all());
        new Tags(table.storage(), history).all().forEach(tag -> strangers.add(tag.snapshot()));
      }
    }
    return new Keepers(List.copyOf(tagged), List.copyOf(strangers), List.copyOf(others));
  }

  private static Snapshot of(Snapshots snapshots, Map<Long, Snapshot> known, Snapshot like)
      throws IOException {
    Snapshot found = known.get(like.id());
    return found != null ? found : snapshots.find(like.id()).orElse(null);
  }

  /**
   * Those that may need a data file which is gone since snapshot {@code id}, beside {@link
   * #others}.
   */
  List<Snapshot> below(long id) {
    List<Snapshot> keepers = new ArrayList<>(strangers);
    tagged.stream()
        .filter(snapshot -> snapshot.id() < id)
        .reduce((older, newer) -> newer)
        .ifPresent(keepers::add);
    return keepers;
  }

  /**
   * Those that may need something of the snapshots {@code [from, to)} which {@code to} does not,
   * beside {@link #others}.
   */
  List<Snapshot> between(long from, long to) {
    List<Snapshot> keepers = below(from);
    tagged.stream()
        .filter(snapshot -> snapshot.id() >= from && snapshot.id() < to)
        .forEach(keepers::add);
    return keepers;
  }
}
