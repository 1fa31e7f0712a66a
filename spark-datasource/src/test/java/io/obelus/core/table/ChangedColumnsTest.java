package io.obelus.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.catalog.FileSystemCatalog;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanPlan;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.schema.ColumnChange;
import io.obelus.core.table.schema.ColumnChange.Position;
import io.obelus.core.table.schema.ColumnChanges;
import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonTable.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who goes on by columns that have changed meanwhile. */
class ChangedColumnsTest {

  @TempDir Path directory;

  private CoreTable create(List<String> key) throws IOException {
    Map<String, String> options = Map.of("bucket", key.isEmpty() ? "-1" : "1");
    return CoreTable.create(
        directory.resolve("t"), List.of("k INT NOT NULL", "v INT"), List.of(), key, options);
  }

  private CoreTable withColumn(CoreTable table) throws IOException {
    ColumnChange add =
        new ColumnChange.Add(List.of("b"), DataTypes.IntegerType, true, null, Position.LAST);
    new FileSystemCatalog(table.table().storage(), "/")
        .alter(table.table(), new ColumnChanges(List.of(add)));
    return CoreTable.open(directory.resolve("t"));
  }

  @Test
  void rows_with_a_newer_column_are_not_rewritten_without_it() throws IOException {
    CoreTable old = create(List.of("k"));
    old.write(Row.insert(1, 10));
    CoreTable now = withColumn(old);
    old.write(Row.insert(2, 20)); // nothing has the new column yet
    now.with("write-only", "true").write(Row.insert(1, 11, 7));
    long latest = now.latestSnapshot();
    String message =
        "its columns were changed (schema 1) after this statement had read them (schema 0)";
    assertThatThrownBy(() -> old.write(Row.insert(3, 30)))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining(message)
        .hasMessageEndingWith("Nothing of it was committed; run it again.");
    assertThatThrownBy(() -> old.compact(true))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining(message);
    assertThat(now.latestSnapshot()).isEqualTo(latest);
    assertThat(now.rows()).containsExactly(List.of(1, 11, 7), Arrays.asList(2, 20, null));
  }

  @Test
  void statistics_stay_with_the_column_and_not_with_the_name() throws IOException {
    CoreTable old = create(List.of());
    old.write(Row.insert(1, 10));
    old.write(Row.insert(2, 20));
    FileSystemCatalog catalog = new FileSystemCatalog(old.table().storage(), "/");
    catalog.alter(
        old.table(),
        new ColumnChanges(
            List.of(
                new ColumnChange.Rename(List.of("v"), "w"),
                new ColumnChange.Add(
                    List.of("v"), DataTypes.IntegerType, true, null, Position.LAST))));
    CoreTable now = CoreTable.open(directory.resolve("t"));
    RowType columns = now.table().schema().rowType();
    Predicate renamed = new Predicate.Compare(columns.column(1), Comparison.EQUAL, 20);
    Predicate added = new Predicate.Compare(columns.column(2), Comparison.EQUAL, 20);
    assertThat(columns.names()).containsExactly("k", "w", "v");
    assertThat(skipped(now, renamed)).isEqualTo(1);
    assertThat(skipped(now, added)).isEqualTo(2);
    assertThat(skipped(now, new Predicate.IsNull(columns.column(2)))).isZero();
    assertThat(now.rows(columns, renamed, 1)).containsExactly(Arrays.asList(2, 20, null));
  }

  private static long skipped(CoreTable table, Predicate condition) throws IOException {
    return ScanPlan.of(
            table.table(),
            table.table().snapshots().latest().orElseThrow(),
            condition,
            LevelZero.MERGE)
        .figures()
        .filesSkipped();
  }

  @Test
  void rows_without_a_key_are_added_by_the_columns_that_their_writer_knew() throws IOException {
    CoreTable old = create(List.of());
    CoreTable now = withColumn(old);
    now.write(Row.insert(1, 10, 7));
    old.write(Row.insert(2, 20));
    assertThat(now.rows()).containsExactlyInAnyOrder(List.of(1, 10, 7), Arrays.asList(2, 20, null));
  }
}
