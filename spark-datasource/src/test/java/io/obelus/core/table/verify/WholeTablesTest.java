package io.obelus.core.table.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.CoreTable;
import io.obelus.testing.GoldenTables;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is wrong with tables that others wrote. */
class WholeTablesTest {

  @TempDir private Path directory;

  @Test
  void nothing_is_found_in_any_snapshot_of_a_golden_table() throws IOException {
    for (String name : GoldenTables.names()) {
      Table table = CoreTable.open(GoldenTables.unpack(name, directory.resolve(name))).table();
      for (Snapshot snapshot : table.snapshots().all()) {
        assertThat(Verify.all(table, snapshot, Verify.Level.FULL, 1))
            .as("%s at snapshot %d", name, snapshot.id())
            .isEmpty();
      }
    }
  }
}
