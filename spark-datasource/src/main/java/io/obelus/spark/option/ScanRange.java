package io.obelus.spark.option;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TimeTravel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Between which two snapshots a table is read, as an option of the reader says it: the rows in
 * which they differ. The first is excluded, the last included.
 *
 * <pre>
 *   incremental-between            '3,7': numbers of snapshots or names of tags; 0 is before the first
 *   incremental-between-timestamp  '2024-01-31 12:00:00,2024-01-31 13:00:00' in the session's time
 *                                  zone, or milliseconds since 1970: the newest snapshots by then
 *   incremental-between-scan-mode  diff: the only one there is
 * </pre>
 *
 * @param option its name
 */
public record ScanRange(String option, String from, String to) {

  /** Numbers or tags. */
  public static final String BETWEEN = "incremental-between";

  /** Times. */
  public static final String BETWEEN_TIMES = "incremental-between-timestamp";

  private static final String MODE = "incremental-between-scan-mode";

  /** Names of the options. */
  static final Set<String> NAMES = Set.of(BETWEEN, BETWEEN_TIMES, MODE);

  /**
   * Two snapshots of a table.
   *
   * @param before null for what was before the first one
   */
  public record Ends(Snapshot before, Snapshot after) {}

  /**
   * What the options say; empty if they say nothing about it.
   *
   * @param options of a reader; names in any case
   * @throws IllegalArgumentException if they contradict each other or make no sense
   */
  public static Optional<ScanRange> of(Map<String, String> options) {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(options);
    boolean times = anyCase.containsKey(BETWEEN_TIMES);
    if (!times && !anyCase.containsKey(BETWEEN)) {
      if (anyCase.containsKey(MODE)) {
        throw new IllegalArgumentException(
            "option '%s' needs option '%s' or '%s'".formatted(MODE, BETWEEN, BETWEEN_TIMES));
      }
      return Optional.empty();
    }
    String mode = anyCase.getOrDefault(MODE, "diff").strip();
    if (!mode.equalsIgnoreCase("diff")) {
      throw StatementOptions.bad(MODE, mode, "diff, what the two snapshots differ in");
    }
    Optional<ScanPosition> position = ScanPosition.of(options);
    if (position.isPresent() || (times && anyCase.containsKey(BETWEEN))) {
      throw new IllegalArgumentException(
          "options '%s' and '%s' each say what of the table's history is read; give one of them"
              .formatted(
                  times ? BETWEEN_TIMES : BETWEEN,
                  position.map(ScanPosition::option).orElse(BETWEEN)));
    }
    String option = times ? BETWEEN_TIMES : BETWEEN;
    String[] ends = anyCase.get(option).split(",", -1);
    if (ends.length != 2 || ends[0].isBlank() || ends[1].isBlank()) {
      throw StatementOptions.bad(
          option, anyCase.get(option), "two ends with a comma between, such as '3,7'");
    }
    return Optional.of(new ScanRange(option, ends[0].strip(), ends[1].strip()));
  }

  /** The snapshots of {@code table}; IllegalArgumentException says what there is if one is not. */
  public Ends in(Table table) {
    try {
      Ends ends = option.equals(BETWEEN) ? versions(table) : times(table);
      if (ends.before() != null && ends.before().id() > ends.after().id()) {
        throw StatementOptions.bad(
            option,
            from + "," + to,
            "from an earlier snapshot to a later one, not from %d to %d"
                .formatted(ends.before().id(), ends.after().id()));
      }
      return ends;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the snapshots of " + table.name() + " could not be read: " + e.getMessage(), e);
    }
  }

  private Ends versions(Table table) throws IOException {
    TimeTravel travel = new TimeTravel(table);
    boolean begins = from.equals("0") && table.tags().find(from).isEmpty();
    return new Ends(begins ? null : travel.version(from), travel.version(to));
  }

  private Ends times(Table table) throws IOException {
    TimeTravel travel = new TimeTravel(table);
    long start = millis(from);
    boolean begins =
        table.snapshots().asOf(start).isEmpty()
            && table.snapshots().earliest().filter(first -> first.id() == 1).isPresent();
    return new Ends(begins ? null : travel.asOf(start), travel.asOf(millis(to)));
  }

  private long millis(String time) {
    return time.matches("\\d{1,18}")
        ? Long.parseLong(time)
        : Math.floorDiv(ScanPosition.micros(option, time), 1000L);
  }
}
