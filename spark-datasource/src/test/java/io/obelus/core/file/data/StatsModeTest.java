package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Seeds;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class StatsModeTest {

  private static String max(int length, String largest) {
    UTF8String bound =
        StatsMode.parse("c", "truncate(" + length + ")").max(UTF8String.fromString(largest));
    return bound == null ? null : bound.toString();
  }

  @Test
  void a_maximum_is_cut_and_its_last_character_counted_up() {
    assertThat(max(3, "abc")).isEqualTo("abc");
    assertThat(max(3, "abcd")).isEqualTo("abd");
    assertThat(max(2, "a\uD7FFx")).isEqualTo("a\uE000"); // not into the surrogates
    assertThat(max(2, "a" + Character.toString(0x10FFFF) + "x")).isEqualTo("b");
    assertThat(max(1, Character.toString(0x10FFFF) + "x")).isNull();
  }

  @Test
  void a_minimum_is_cut() {
    StatsMode mode = StatsMode.parse("c", "truncate(2)");
    assertThat(mode.min(UTF8String.fromString("éàü"))).hasToString("éà");
    assertThat(mode.min(UTF8String.fromBytes(new byte[] {(byte) 0xc3, 'a', 'b', 'c'}))).isNull();
  }

  @Test
  void bounds_enclose_the_text() {
    Seeds.each(
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(6); i >= 0; i--) {
            int[] edges = {0, 'a', 0x7f, 0x7ff, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};
            text.appendCodePoint(edges[random.nextInt(edges.length)]);
          }
          UTF8String value = UTF8String.fromString(text.toString());
          StatsMode mode = StatsMode.parse("c", "truncate(" + (1 + random.nextInt(4)) + ")");
          assertThat(mode.min(value)).isLessThanOrEqualTo(value);
          UTF8String max = mode.max(value);
          if (max != null) {
            assertThat(max).isGreaterThanOrEqualTo(value);
          }
        });
  }

  @Test
  void an_unknown_mode_is_refused_with_the_column() {
    assertThatThrownBy(() -> StatsMode.parse("c", "truncate(0)"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "metadata.stats-mode of column 'c' is 'truncate(0)'; use none, counts, full or"
                + " truncate(n) with n above 0");
  }
}
