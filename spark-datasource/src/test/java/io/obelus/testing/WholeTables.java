package io.obelus.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.verify.Finding;
import io.obelus.core.table.verify.Verify;
import java.io.IOException;
import java.nio.file.Path;

/** The oracle of tests that make tables: nothing may be wrong with what they leave behind. */
public final class WholeTables {

  private WholeTables() {}

  /**
   * Reads all there is of a table's newest snapshot.
   *
   * @param history what was done to it, for the message
   */
  public static void check(Table table, Object history) throws IOException {
    Table main = Table.open(table.storage(), table.directory().root(), table.name());
    boolean branch = !table.directory().isMain();
    Table fresh = branch ? main.onBranch(table.directory().branch()) : main;
    assertThat(Verify.all(fresh, null, Verify.Level.FULL, 1))
        .as("%s", history)
        .filteredOn(finding -> !isLeftBehind(finding))
        .isEmpty();
  }

  /** Paimon's compaction may leave the bitmap of a file that it removed; that is a warning. */
  private static boolean isLeftBehind(Finding finding) {
    return finding.severity() == Finding.Severity.WARNING
        && finding.check().equals("deletion_bitmap");
  }

  /** As the other form, for the table in a directory. */
  public static void check(Path directory, Object history) throws IOException {
    check(CoreTable.open(directory).table(), history);
  }
}
