package io.obelus.core.table.snapshot;

import static io.obelus.testing.PaimonTable.Row.delete;
import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.catalog.FileSystemCatalog;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.GoldenRows;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.SameRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BranchesTest {

  @TempDir private Path directory;

  /** A table of two snapshots: keys 1, then 1 and 2; tag "one" is the first. */
  private CoreTable table() throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t"),
            List.of("k BIGINT NOT NULL", "v STRING"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1"));
    table.write(insert(1L, "a"));
    table.write(insert(2L, "b"));
    table.table().tags().create("one", table.table().snapshots().get(1), null);
    return table;
  }

  private PaimonTable paimon(String branch) throws IOException {
    return new PaimonTables(directory).open(directory.resolve("t")).branch(branch);
  }

  @Test
  void a_branch_begins_with_a_tag_and_goes_its_own_way() throws Exception {
    CoreTable table = table();
    table.table().branches().create("b", "one");
    CoreTable branch = table.onBranch("b");
    assertThat(branch.table().name()).isEqualTo("t$branch_b");
    assertThat(branch.rows()).containsExactly(List.of(1L, "a"));
    assertThat(branch.table().tags().names()).containsExactly("one");
    branch.write(insert(1L, "b1"), insert(3L, "c"));
    table.write(delete(1L, null));
    assertThat(branch.rows()).containsExactly(List.of(1L, "b1"), List.of(3L, "c"));
    assertThat(branch.rows(1, LevelZero.MERGE)).containsExactly(List.of(1L, "a"));
    assertThat(table.rows()).containsExactly(List.of(2L, "b"));
    assertThat(paimon("b").rows()).isEqualTo(branch.rows());
    paimon("b").write(insert(4L, "d"), delete(3L, null));
    assertThat(branch.rows()).containsExactly(List.of(1L, "b1"), List.of(4L, "d"));
    branch.compact(true);
    assertThat(paimon("b").rows()).isEqualTo(branch.rows()).hasSize(2);
    assertThat(table.rows()).containsExactly(List.of(2L, "b"));
  }

  @Test
  void a_branch_of_no_tag_begins_without_rows() throws Exception {
    CoreTable table = table();
    table.table().branches().create("b", null);
    CoreTable branch = table.onBranch("b");
    assertThat(branch.rows()).isEmpty();
    assertThat(paimon("b").rows()).isEmpty();
    branch.write(insert(7L, "x"));
    assertThat(branch.latestSnapshot()).isEqualTo(1);
    assertThat(paimon("b").rows()).isEqualTo(branch.rows()).containsExactly(List.of(7L, "x"));
    assertThat(table.rows()).hasSize(2);
  }

  @Test
  void a_branch_has_columns_of_its_own() throws Exception {
    CoreTable table = table();
    table.table().branches().create("b", "one");
    FileSystemCatalog catalog =
        new FileSystemCatalog(table.table().storage(), directory.toString());
    Table branch =
        catalog.alter(table.table().onBranch("b"), Map.of("write-only", "true"), Set.of());
    assertThat(branch.name()).isEqualTo("t$branch_b");
    assertThat(branch.schema().id()).isEqualTo(1);
    assertThat(table.table().schemas().ids()).containsExactly(0L);
    assertThatThrownBy(() -> catalog.drop(branch))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("t$branch_b is a branch and can neither be renamed nor dropped as a table");
    // Only schemas up to the tag's go along.
    Table altered = catalog.alter(table.table(), Map.of("write-only", "true"), Set.of());
    altered.branches().create("c", "one");
    altered.branches().create("d", null);
    assertThat(altered.onBranch("c").schemas().ids()).containsExactly(0L);
    assertThat(altered.onBranch("d").schemas().ids()).containsExactly(0L, 1L);
  }

  @Test
  void branches_made_by_paimon_are_ours_and_the_other_way_round() throws Exception {
    CoreTable table = table();
    PaimonTable theirs = new PaimonTables(directory).open(directory.resolve("t"));
    theirs.table().createBranch("p", "one");
    theirs.table().createBranch("empty");
    table.table().branches().create("b", "one");
    assertThat(table.table().branches().names()).containsExactly("b", "empty", "p");
    assertThat(theirs.table().branchManager().branches())
        .containsExactlyInAnyOrder("b", "empty", "p");
    assertThat(table.onBranch("p").rows()).containsExactly(List.of(1L, "a"));
    assertThat(table.onBranch("empty").rows()).isEmpty();
    theirs.table().deleteBranch("b");
    assertThat(table.table().branches().delete("p")).isTrue();
    assertThat(table.table().branches().delete("p")).isFalse();
    assertThat(theirs.table().branchManager().branches()).containsExactly("empty");
  }

  @Test
  void the_branch_of_a_golden_table_reads_as_expected() throws Exception {
    CoreTable table = CoreTable.open(GoldenTables.unpack("pk_tags_branch_expire", directory));
    CoreTable dev = table.onBranch("dev");
    RowType type = dev.table().schema().rowType();
    SameRows.check("dev", dev.rows(), GoldenRows.of("pk_tags_branch_expire", "branch-dev", type));
    SameRows.check(
        "dev at its tag",
        dev.rows(dev.table().tags().get("release-4").snapshot(), LevelZero.SKIP),
        GoldenRows.of("pk_tags_branch_expire", "tag-release-4", type));
    dev.write(delete(1, null));
    SameRows.check(
        "the table", table.rows(), GoldenRows.of("pk_tags_branch_expire", "expected", type));
  }

  @ParameterizedTest
  @CsvSource({
    "main, it is the table itself",
    "'  ', it is blank",
    "12, it has nothing but digits",
    "a/b, 'it has a slash, a colon, a comma, a dollar sign or a control character'",
    "a$b, 'it has a slash, a colon, a comma, a dollar sign or a control character'"
  })
  void a_name_that_means_something_else_is_refused(String name, String why) throws IOException {
    Branches branches = table().table().branches();
    assertThatThrownBy(() -> branches.create(name, "one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + name + "' is no name for a branch: " + why);
    assertThat(branches.names()).isEmpty();
  }

  @Test
  void what_is_there_already_or_not_there_is_said() throws IOException {
    Table table = table().table();
    table.branches().create("b", "one");
    assertThatThrownBy(() -> table.branches().create("b", null))
        .hasMessage(
            table.directory().root()
                + " has a branch 'b' already; delete it first, or take another name");
    assertThatThrownBy(() -> table.branches().create("c", "two"))
        .hasMessage(table.directory().root() + " has no tag 'two'; it has one");
    assertThatThrownBy(() -> table.onBranch("c")).hasMessage("t has no branch 'c'; it has b");
    assertThatThrownBy(() -> table.onBranch("main")).hasMessage("t has no branch 'main'; it has b");
  }

  @Test
  void a_branch_that_dies_while_it_is_made_or_deleted_is_there_or_not() throws IOException {
    CoreTable table = table();
    for (boolean makes : new boolean[] {true, false}) {
      Set<List<String>> seen = new HashSet<>();
      for (int step = 1; ; step++) {
        Branches whole = table.table().branches();
        if (makes) {
          whole.delete("b");
        } else if (!whole.exists("b")) {
          whole.create("b", "one");
        }
        FailingStorage storage = FailingStorage.dyingAt(step, table.table().storage());
        Branches dying = table.on(storage).table().branches();
        try {
          if (makes) {
            dying.create("b", "one");
          } else {
            dying.delete("b");
          }
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("broken on purpose");
        }
        seen.add(whole.names());
        if (whole.exists("b")) {
          assertThat(table.onBranch("b").rows()).containsExactly(List.of(1L, "a"));
        }
        if (!storage.hasFailed()) {
          break;
        }
      }
      assertThat(seen).containsExactlyInAnyOrder(List.of(), List.of("b"));
    }
  }

  @Test
  void a_tag_that_is_deleted_meanwhile_makes_no_branch() throws IOException {
    CoreTable table = table();
    FailingStorage storage =
        FailingStorage.counting(table.table().storage())
            .before(
                operation -> operation.startsWith("rename"),
                () -> table.table().tags().delete("one"));
    assertThatThrownBy(() -> table.on(storage).table().branches().create("b", "one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("has no tag 'one' any more; branch 'b' was not made");
    assertThat(table.table().branches().names()).isEmpty();
  }

  @Test
  void two_branches_never_write_a_file_of_one_name() throws IOException {
    CoreTable table = table();
    table.table().branches().create("b", "one");
    table.table().branches().create("c", "one");
    FailingStorage storage = FailingStorage.counting(table.table().storage());
    for (CoreTable line : List.of(table, table.onBranch("b"), table.onBranch("c"))) {
      CoreTable counted = line.on(storage);
      counted.write(insert(1L, "x"), insert(5L, "y"));
      counted.compact(true);
    }
    List<String> created =
        storage.operations().stream().filter(o -> o.matches("create(IfAbsent)? .*")).toList();
    assertThat(created).doesNotHaveDuplicates().hasSizeGreaterThan(20);
  }
}
