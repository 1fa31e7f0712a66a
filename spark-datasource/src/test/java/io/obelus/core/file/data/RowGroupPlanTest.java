package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import org.junit.jupiter.api.Test;

class RowGroupPlanTest {

  private static final long ROWS = 100_000;

  /** One row in {@code step} of the rows before {@code end}. */
  private static RowSelection every(int step, long end) {
    Positions positions = new Positions();
    for (long row = 0; row < end; row += step) {
      positions.add(row);
    }
    return RowSelection.all(ROWS).and(positions);
  }

  @Test
  void a_selection_of_few_rows_pays_wherever_they_are() {
    assertThat(RowGroupPlan.pays(every(100, ROWS))).isTrue();
    assertThat(RowGroupPlan.pays(every(10, ROWS))).isTrue();
    assertThat(RowGroupPlan.pays(every(1, 1))).isTrue();
  }

  @Test
  void one_of_many_rows_pays_if_it_leaves_out_half_of_the_file() {
    assertThat(RowGroupPlan.pays(every(8, ROWS))).isFalse();
    assertThat(RowGroupPlan.pays(every(3, ROWS))).isFalse();
    assertThat(RowGroupPlan.pays(every(1, ROWS))).isFalse();
    assertThat(RowGroupPlan.pays(every(1, ROWS * 12 / 100))).isTrue();
    assertThat(RowGroupPlan.pays(every(2, ROWS * 45 / 100))).isTrue();
    assertThat(RowGroupPlan.pays(every(1, ROWS * 60 / 100))).isFalse();
  }

  @Test
  void few_scattered_rows_are_decoded_run_by_run_and_many_all_at_once() {
    assertThat(RowGroupPlan.ranges(every(100, ROWS), 0, ROWS).rowCount()).isEqualTo(ROWS / 100);
    assertThat(RowGroupPlan.ranges(every(3, ROWS), 0, ROWS)).isNull();
    assertThat(RowGroupPlan.ranges(every(1, ROWS), 0, ROWS)).isNull();
    assertThat(RowGroupPlan.ranges(every(3, ROWS / 2), 0, ROWS).rowCount())
        .isBetween(ROWS / 2, ROWS / 2 + 1024);
  }
}
