package io.obelus.core.bucket;

import java.util.List;
import java.util.Optional;

/**
 * Which runs of a bucket a compaction takes, and the level its result gets (spec chapter 08,
 * universal picking).
 *
 * @param runs how many, counted from the newest
 * @param outputLevel level of the result
 */
record CompactionPick(int runs, int outputLevel) {

  /**
   * Chapter 08's rules 1 to 3.
   *
   * @param runs newest first
   * @return empty if there are not too many runs
   */
  static Optional<CompactionPick> of(List<SortedRun> runs, CompactionSettings settings) {
    int count = runs.size();
    if (count < settings.trigger()) {
      return Optional.empty();
    }
    if (tooMuchAboveTheOldest(runs, settings)) {
      return Optional.of(all(runs, settings));
    }
    int similar = extend(runs, 1, settings);
    if (similar > 1) {
      return Optional.of(taking(runs, similar, settings));
    }
    if (count > settings.trigger()) {
      int least = count - settings.trigger() + 1;
      return Optional.of(taking(runs, extend(runs, least, settings), settings));
    }
    return Optional.empty();
  }

  /** All runs, to the last level. */
  static CompactionPick all(List<SortedRun> runs, CompactionSettings settings) {
    return new CompactionPick(runs.size(), maxLevel(runs, settings));
  }

  /**
   * The newest {@code count} runs, to the level below the next older run; where there is no free
   * level, more runs are taken until one gives up its own.
   */
  static CompactionPick taking(List<SortedRun> runs, int count, CompactionSettings settings) {
    if (count == runs.size()) {
      return all(runs, settings);
    }
    int level = Math.max(0, runs.get(count).level() - 1);
    if (level > 0) {
      return new CompactionPick(count, level);
    }
    int taken = count;
    while (taken < runs.size()) {
      SortedRun next = runs.get(taken++);
      if (next.level() != 0) {
        return taken == runs.size() ? all(runs, settings) : new CompactionPick(taken, next.level());
      }
    }
    return all(runs, settings);
  }

  /** The last level: as the settings say, or where files sit already if that is deeper. */
  static int maxLevel(List<SortedRun> runs, CompactionSettings settings) {
    int deepest = runs.stream().mapToInt(SortedRun::level).max().orElse(0);
    return Math.max(settings.levels() - 1, deepest);
  }

  private static boolean tooMuchAboveTheOldest(List<SortedRun> runs, CompactionSettings settings) {
    int last = runs.size() - 1;
    long newer = runs.subList(0, last).stream().mapToLong(SortedRun::size).sum();
    return 100.0 * newer > (double) settings.maxAmplification() * runs.get(last).size();
  }

  private static int extend(List<SortedRun> runs, int count, CompactionSettings settings) {
    long size = runs.subList(0, count).stream().mapToLong(SortedRun::size).sum();
    int taken = count;
    while (taken < runs.size()
        && size * (100.0 + settings.sizeRatio()) / 100 >= runs.get(taken).size()) {
      size += runs.get(taken++).size();
    }
    return taken;
  }
}
