package io.obelus.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Universal picking, spec chapter 08. */
class CompactionPickTest {

  private static final CompactionSettings DEFAULT =
      new CompactionSettings(5, 6, 1, 200, 128 << 20, false);

  @Test
  void fewer_runs_than_the_trigger_are_left_alone() {
    assertThat(CompactionPick.of(runs(0, 1, 4, 1, 5, 1000), DEFAULT)).isEmpty();
  }

  @Test
  void newer_runs_of_more_than_twice_the_oldest_go_to_the_last_level_with_it() {
    assertThat(CompactionPick.of(runs(0, 1, 1, 50, 2, 70, 3, 90, 5, 100), DEFAULT))
        .isEqualTo(Optional.of(new CompactionPick(5, 5)));
  }

  @Test
  void runs_of_similar_size_are_taken_together_to_the_level_above_the_next() {
    assertThat(CompactionPick.of(runs(0, 100, 2, 101, 3, 150, 4, 5000, 5, 100_000), DEFAULT))
        .isEqualTo(Optional.of(new CompactionPick(3, 3)));
  }

  @Test
  void a_run_more_than_one_percent_larger_ends_the_pick() {
    assertThat(CompactionPick.of(runs(0, 100, 2, 102, 3, 5000, 4, 50_000, 5, 900_000), DEFAULT))
        .isEmpty();
  }

  @Test
  void one_run_too_many_takes_the_two_newest_at_least() {
    assertThat(
            CompactionPick.of(
                runs(0, 1, 1, 100, 2, 1000, 3, 10_000, 4, 100_000, 5, 1_000_000), DEFAULT))
        .isEqualTo(Optional.of(new CompactionPick(2, 1)));
  }

  @Test
  void a_new_run_alone_goes_to_the_level_above_the_next_older_one() {
    assertThat(CompactionPick.taking(runs(0, 1, 4, 10, 5, 100), 1, DEFAULT))
        .isEqualTo(new CompactionPick(1, 3));
  }

  @Test
  void where_no_level_is_free_the_next_run_gives_up_its_own() {
    assertThat(CompactionPick.taking(runs(0, 1, 1, 10, 5, 100), 1, DEFAULT))
        .isEqualTo(new CompactionPick(2, 1));
  }

  @Test
  void the_first_run_of_a_bucket_goes_to_the_last_level() {
    assertThat(CompactionPick.taking(runs(0, 1), 1, DEFAULT)).isEqualTo(new CompactionPick(1, 5));
  }

  @Test
  void a_file_deeper_than_the_settings_know_makes_its_level_the_last_one() {
    assertThat(CompactionPick.all(runs(0, 1, 9, 10), DEFAULT)).isEqualTo(new CompactionPick(2, 9));
  }

  /** Pairs of level and size. */
  private static List<SortedRun> runs(int... levelsAndSizes) {
    List<SortedRun> runs = new ArrayList<>();
    for (int i = 0; i < levelsAndSizes.length; i += 2) {
      int level = levelsAndSizes[i];
      runs.add(new SortedRun(level, List.of(file("f" + i, level, levelsAndSizes[i + 1]))));
    }
    return runs;
  }

  private static DataFile file(String name, int level, long size) {
    return new DataFile(
        name,
        size,
        1,
        RowBytes.EMPTY,
        RowBytes.EMPTY,
        ColumnStats.NONE,
        ColumnStats.NONE,
        0,
        0,
        0,
        level,
        List.of(),
        null,
        0L,
        null,
        DataFile.SOURCE_APPEND,
        null,
        null,
        null,
        null);
  }
}
