package io.obelus.core.file.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class PositionsTest {

  @Test
  void a_position_is_added_once() {
    Positions positions = new Positions();
    assertThat(positions.isEmpty()).isTrue();
    assertThat(positions.add(65_536)).isTrue();
    assertThat(positions.add(65_536)).isFalse();
    assertThat(positions.add(0)).isTrue();
    assertThat(positions.cardinality()).isEqualTo(2);
    assertThat(positions.max()).isEqualTo(65_536);
    List<Long> seen = new ArrayList<>();
    positions.forEach(seen::add);
    assertThat(seen).containsExactly(0L, 65_536L);
  }

  @Test
  void the_last_position_is_two_to_the_thirty_one_less_one() {
    Positions positions = new Positions();
    positions.add(Integer.MAX_VALUE);
    assertThat(positions.contains(Integer.MAX_VALUE)).isTrue();
    assertThat(positions.max()).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> positions.add(1L << 31))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Row position 2147483648 is not in [0, 2147483648): no data file holds more rows.");
    assertThatThrownBy(() -> positions.add(-1)).hasMessageStartingWith("Row position -1 is not in");
  }

  @Test
  void a_position_beyond_the_limit_is_never_contained() {
    Positions positions = new Positions();
    positions.add(5);
    assertThat(positions.contains(5 + (1L << 32))).isFalse();
    assertThat(positions.contains(-1)).isFalse();
  }

  @Test
  void a_bitmap_of_unsigned_numbers_is_refused() {
    assertThatThrownBy(() -> new Positions(RoaringBitmap.bitmapOf(1, -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Row position 4294967295 is not in");
  }

  @Test
  void intersects_is_half_open() {
    Positions positions = Positions.range(10, 20);
    assertThat(positions.intersects(0, 10)).isFalse();
    assertThat(positions.intersects(0, 11)).isTrue();
    assertThat(positions.intersects(19, 20)).isTrue();
    assertThat(positions.intersects(20, 1L << 31)).isFalse();
    assertThat(positions.intersects(15, 15)).isFalse();
    assertThatThrownBy(() -> positions.intersects(5, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Row positions [5, 4) are no range within [0, 2147483648).");
  }

  @Test
  void adding_all_of_another_set_leaves_that_set_alone() {
    Positions ours = Positions.range(0, 3);
    Positions others = Positions.range(2, 5);
    ours.addAll(others);
    assertThat(ours).isEqualTo(Positions.range(0, 5)).hasToString("{0,1,2,3,4}");
    assertThat(others).isEqualTo(Positions.range(2, 5));
  }

  @Test
  void a_copy_is_independent() {
    Positions positions = Positions.range(0, 3);
    positions.copy().add(7);
    assertThat(positions.cardinality()).isEqualTo(3);
  }

  @Test
  void the_largest_of_no_positions_is_an_error() {
    assertThatThrownBy(() -> new Positions().max()).isInstanceOf(NoSuchElementException.class);
  }
}
