package io.obelus.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedsTest {

  @Test
  void a_failure_names_the_seed_that_shows_it_again() {
    List<Long> drawn = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Seeds.each(
                    random -> {
                      drawn.add(random.nextLong());
                      throw new IllegalStateException("broken");
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("rerun with -Dseed=-?\\d+: broken")
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(drawn).hasSize(1);
  }
}
