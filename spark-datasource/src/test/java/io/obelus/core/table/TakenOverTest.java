package io.obelus.core.table;

import static io.obelus.testing.PaimonTable.Row.delete;
import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.WholeTables;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.schema.SchemaChange;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables in a state that we would not bring them into, but Paimon does. */
class TakenOverTest {

  @TempDir Path directory;

  @Test
  void rows_stay_struck_out_when_bitmaps_are_switched_off_elsewhere() throws Exception {
    PaimonTable theirs = keyed("k INT NOT NULL", Map.of("deletion-vectors.enabled", "true"));
    CoreTable ours = CoreTable.open(theirs.directory());
    ours.write(insert(1, "a"), insert(2, "b"));
    ours.write(delete(2, null));
    theirs.alter(SchemaChange.setOption("deletion-vectors.enabled", "false"));
    CoreTable without = CoreTable.open(theirs.directory());
    assertThat(without.rows()).containsExactly(List.of(1, "a"));
    assertThatThrownBy(() -> without.write(insert(3, "c")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bucket-0 has deletion bitmaps (index-")
        .hasMessageContaining("option 'deletion-vectors.enabled' is not true");
    assertThatThrownBy(() -> without.compact(true)).isInstanceOf(IllegalArgumentException.class);
    ours.compact(true); // no bitmaps are left
    without.write(insert(3, "c"));
    assertThat(without.rows()).containsExactly(List.of(1, "a"), List.of(3, "c"));
  }

  @Test
  @DamagesTables("its keys are taken for one another; verify refuses it as reading does")
  void keys_by_nanoseconds_are_refused_by_name() throws Exception {
    PaimonTable theirs = keyed("k TIMESTAMP(9) NOT NULL", Map.of());
    LocalDateTime time = LocalDateTime.of(2024, 1, 1, 0, 0, 0, 1);
    theirs.write(insert(time, "a"), insert(time.plusNanos(1), "b"));
    assertThat(theirs.rows()).hasSize(2);
    CoreTable ours = CoreTable.open(theirs.directory());
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(ours::rows, () -> WholeTables.check(ours.table(), "refused"))) {
      assertThatThrownBy(use)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("column 'k' is part of the key or a sequence field")
          .hasMessageContaining("TIMESTAMP(9)");
    }
  }

  private PaimonTable keyed(String key, Map<String, String> options) throws Exception {
    Map<String, String> all = new HashMap<>(options);
    all.put("bucket", "1");
    return new PaimonTables(directory)
        .create("t", List.of(key, "v STRING"), List.of(), List.of("k"), all);
  }
}
