package io.obelus.core.file.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.position.RowSelection.Run;
import io.obelus.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowSelectionTest {

  private static final int[] EDGES = {0, 1, 2, 65_535, 65_536, 65_537, 131_071, 131_072};

  @Test
  void all_rows_are_selected_at_first() {
    RowSelection all = RowSelection.all(100_000);
    assertThat(all.isAll()).isTrue();
    assertThat(all.rowCount()).isEqualTo(100_000);
    assertThat(all.cardinality()).isEqualTo(100_000);
    assertThat(all.runs(0, 100_000)).containsExactly(new Run(0, 100_000));
  }

  @Test
  void a_file_without_rows_is_both_all_and_empty() {
    RowSelection none = RowSelection.all(0);
    assertThat(none.isAll()).isTrue();
    assertThat(none.isEmpty()).isTrue();
    assertThat(none.runs(0, 0)).isEmpty();
    assertThat(none.offsets(0, 0, new int[0])).isZero();
  }

  @Test
  void the_largest_file_has_two_to_the_thirty_one_rows() {
    RowSelection all = RowSelection.all(1L << 31).without(Positions.range(0, 1));
    assertThat(all.cardinality()).isEqualTo(Integer.MAX_VALUE);
    assertThat(all.cardinality((1L << 31) - 3, 1L << 31)).isEqualTo(3);
    int[] offsets = new int[3];
    assertThat(all.offsets((1L << 31) - 3, 1L << 31, offsets)).isEqualTo(3);
    assertThat(offsets).containsExactly(0, 1, 2);
    assertThat(all.runs(0, 1L << 31)).containsExactly(new Run(1, 1L << 31));
    assertThatThrownBy(() -> RowSelection.all((1L << 31) + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Row positions [0, 2147483649) are no range within");
  }

  @Test
  void a_row_between_deleted_rows_is_not_lost_where_a_range_starts() {
    Positions deleted = Positions.range(4095, 4096);
    deleted.add(4097);
    RowSelection selection = RowSelection.all(200_000).without(deleted);
    int[] offsets = new int[4];
    assertThat(selection.offsets(4096, 4100, offsets)).isEqualTo(3);
    assertThat(offsets).startsWith(0, 2, 3);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 60, 61, 200, 30_000}) // as bit sets, arrays, and runs between gaps
  void offsets_start_at_any_row_beside_the_edge_of_a_container(int step) {
    BitSet rows = new BitSet();
    for (int row = 65_535 % step; row < 200_000; row += step) {
      rows.set(row);
    }
    RowSelection every = RowSelection.all(200_000).and(positions(rows));
    RowSelection allBut = RowSelection.all(200_000).without(positions(rows));
    BitSet others = new BitSet();
    others.set(0, 200_000);
    others.andNot(rows);
    for (int from = 65_530; from < 65_540; from++) {
      for (int to : new int[] {from, from + 1, from + 2, from + 100, 150_000}) {
        agree(every, rows, from, to);
        agree(allBut, others, from, to);
      }
    }
  }

  @Test
  void a_selection_does_not_follow_later_changes_of_what_it_was_made_from() {
    Positions deleted = Positions.range(0, 2);
    RowSelection selection = RowSelection.all(10).without(deleted);
    deleted.add(5);
    assertThat(selection.cardinality()).isEqualTo(8);
  }

  @Test
  void candidates_beyond_the_file_select_nothing() {
    assertThat(RowSelection.all(10).and(Positions.range(9, 12)).runs(0, 10))
        .containsExactly(new Run(9, 10));
  }

  @Test
  void a_single_live_row_before_a_deleted_one_is_not_lost() {
    Positions deleted = new Positions();
    deleted.add(1);
    int[] offsets = new int[10];
    assertThat(RowSelection.all(10).without(deleted).offsets(0, 10, offsets)).isEqualTo(9);
    assertThat(offsets).startsWith(0, 2, 3);
  }

  @Test
  void a_range_outside_the_file_is_refused() {
    RowSelection selection = RowSelection.all(10);
    assertThatThrownBy(() -> selection.cardinality(0, 11))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Rows [0, 11) are no range within the 10 rows of the file.");
    assertThatThrownBy(() -> selection.runs(4, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> selection.offsets(2, 5, new int[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Rows [2, 5) need room for 3 offsets, not 2.");
  }

  @Test
  void a_selection_agrees_with_a_plain_bit_set() {
    Seeds.each(
        random -> {
          int rowCount = edge(random, 200_000);
          RowSelection selection = RowSelection.all(rowCount);
          BitSet model = new BitSet();
          model.set(0, rowCount);
          for (int step = random.nextInt(4); step > 0; step--) {
            BitSet narrowing = someRows(random, rowCount);
            if (random.nextBoolean()) {
              selection = selection.and(positions(narrowing));
              model.and(narrowing);
            } else {
              selection = selection.without(positions(narrowing));
              model.andNot(narrowing);
            }
          }
          assertThat(selection.cardinality()).isEqualTo(model.cardinality());
          assertThat(selection.isEmpty()).isEqualTo(model.isEmpty());
          assertThat(selection.isAll()).isEqualTo(model.cardinality() == rowCount);
          for (int i = 0; i < 20; i++) {
            int from = Math.min(rowCount, edge(random, rowCount + 1));
            int to = Math.max(from, Math.min(rowCount, edge(random, rowCount + 1)));
            agree(selection, model, from, to);
          }
          agree(selection, model, 0, rowCount);
        });
  }

  private static void agree(RowSelection selection, BitSet model, int from, int to) {
    int[] expected = model.stream().filter(p -> p >= from && p < to).map(p -> p - from).toArray();
    int[] offsets = new int[to - from];
    int filled = selection.offsets(from, to, offsets);
    assertThat(Arrays.copyOf(offsets, filled)).isEqualTo(expected);
    assertThat(selection.cardinality(from, to)).isEqualTo(expected.length);
    assertThat(selection.runs(from, to)).isEqualTo(runs(model, from, to));
  }

  private static List<Run> runs(BitSet model, int from, int to) {
    List<Run> runs = new ArrayList<>();
    int start = -1; // of the open run
    for (int i = from; i <= to; i++) {
      boolean set = i < to && model.get(i);
      if (set && start < 0) {
        start = i;
      } else if (!set && start >= 0) {
        runs.add(new Run(start, i));
        start = -1;
      }
    }
    return runs;
  }

  /** Now single rows of any density, now runs; also rows just beyond the file. */
  private static BitSet someRows(Random random, int rowCount) {
    BitSet rows = new BitSet();
    if (random.nextBoolean()) {
      for (int i = random.nextInt(6); i > 0; i--) {
        int from = edge(random, rowCount + 1);
        rows.set(from, from + edge(random, rowCount + 1));
      }
    } else {
      double density = random.nextBoolean() ? random.nextDouble() : random.nextDouble() / 1000;
      for (int i = 0; i < rowCount + 2; i++) {
        rows.set(i, random.nextDouble() < density);
      }
    }
    return rows;
  }

  private static Positions positions(BitSet rows) {
    Positions positions = new Positions();
    rows.stream().forEach(positions::add);
    return positions;
  }

  private static int edge(Random random, int limit) {
    return random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(limit);
  }
}
