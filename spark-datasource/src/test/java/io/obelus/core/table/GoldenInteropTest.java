package io.obelus.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.testing.CoreTable;
import io.obelus.testing.GoldenRows;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.SameRows;
import io.obelus.testing.TableModel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that Paimon wrote long ago are read, and written on so that Paimon reads them. */
class GoldenInteropTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "pk_dv_basic, 0",
    "pk_dv_basic, 6",
    "pk_dv_basic, 13",
    "pk_dv_basic, 16",
    "pk_dv_bitmap64, 0",
    "pk_dv_all_types, 0",
    "pk_dv_nested, 0",
    "pk_dv_file_index, 0",
    "pk_dv_schema_evolution, 0",
    "pk_dv_level0_pending, 0",
    "pk_mor_level0, 0",
    "pk_sequence_field, 0",
    "pk_partition_escape, 0",
    "pk_dynamic_bucket, 0",
    "pk_tags_branch_expire, 0",
    "pk_tags_branch_expire, 14",
    "pk_changelog_lookup, 0",
    "append_dv, 0",
    "append_partition_null, 0"
  })
  void a_table_reads_as_its_writer_reads_it(String name, long snapshot) throws IOException {
    CoreTable table = CoreTable.open(GoldenTables.unpack(name, directory));
    RowType type = table.table().schema().rowType();
    List<List<Object>> rows =
        snapshot == 0 ? table.rows(LevelZero.SKIP) : table.rows(snapshot, LevelZero.SKIP);
    String state = snapshot == 0 ? "expected" : "snapshot-" + snapshot;
    SameRows.check(name, rows, GoldenRows.of(name, state, type));
  }

  @Test
  void what_waits_on_level_0_is_part_of_the_table_for_us() throws Exception {
    Path place = GoldenTables.unpack("pk_dv_level0_pending", directory);
    assertThat(CoreTable.open(place).rows())
        .isEqualTo(new PaimonTables(directory).open(place).rowsAfterCompactingACopy())
        .isNotEqualTo(CoreTable.open(place).rows(LevelZero.SKIP));
  }

  @ParameterizedTest
  @CsvSource({
    "pk_aggregation, aggregation",
    "pk_partial_update, partial-update",
    "pk_first_row, first-row"
  })
  void a_merge_engine_that_we_lack_is_refused_by_name(String name, String engine)
      throws IOException {
    CoreTable table = CoreTable.open(GoldenTables.unpack(name, directory));
    assertThatThrownBy(table::rows)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'merge-engine' = '" + engine + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pk_dv_basic",
        "pk_dv_bitmap64",
        "pk_dv_all_types",
        "pk_dv_nested",
        "pk_dv_schema_evolution",
        "pk_dv_level0_pending",
        "pk_mor_level0",
        "pk_sequence_field",
        "pk_partition_escape",
        "pk_tags_branch_expire"
      })
  void a_table_is_taken_over_and_handed_back(String name) throws Exception {
    Path place = GoldenTables.unpack(name, directory);
    CoreTable ours = CoreTable.open(place);
    PaimonTable theirs = new PaimonTables(directory).open(place);
    TableModel model = TableModel.of(ours).fill(ours.rows());

    List<Row> changes = changes(ours, 0);
    ours.write(changes);
    model.write(changes);
    check(ours, theirs, model);

    changes = changes(ours, 1);
    theirs.write(changes);
    model.write(changes);
    check(ours, theirs, model);

    changes = changes(ours, 2);
    ours.write(changes);
    model.write(changes);
    check(ours, theirs, model);

    ours.compact(true);
    assertThat(ours.hasLevelZero()).isFalse();
    check(ours, theirs, model);

    theirs.compact();
    check(ours, theirs, model);
  }

  @ParameterizedTest
  @ValueSource(strings = {"append_dv", "append_partition_null"})
  void a_table_without_key_is_added_to(String name) throws Exception {
    Path place = GoldenTables.unpack(name, directory);
    CoreTable ours = CoreTable.open(place);
    PaimonTable theirs = new PaimonTables(directory).open(place);
    List<List<Object>> all = new ArrayList<>(ours.rows());
    List<List<Object>> some = List.copyOf(all.subList(0, 25));
    List<Row> rows = some.stream().map(row -> Row.insert(row.toArray())).toList();
    ours.write(rows);
    all.addAll(some);
    SameRows.check("read by us", ours.rows(), all);
    SameRows.check("read by Paimon", theirs.rows(), all);
    theirs.write(rows);
    all.addAll(some);
    SameRows.check("read by us", ours.rows(), all);
    SameRows.check("read by Paimon", theirs.rows(), all);
  }

  /** New values for some keys that are there and some that are not, and some keys deleted. */
  private static List<Row> changes(CoreTable table, int round) throws IOException {
    List<List<Object>> rows = table.rows();
    RowType type = table.table().schema().rowType();
    List<Integer> key = table.table().schema().primaryKeys().stream().map(type::indexOf).toList();
    int id = type.indexOf("id");
    List<Row> changes = new ArrayList<>();
    for (int i = round; i < rows.size(); i += 7) {
      List<Object> row = new ArrayList<>(rows.get((i * 31 + 5) % rows.size()));
      for (int column : key) {
        row.set(column, rows.get(i).get(column));
      }
      if (i % 3 == 0) {
        row.set(id, plus(row.get(id), 1_000_000));
      }
      changes.add(new Row(i % 5 == 0 ? RowKind.UPDATE_AFTER : RowKind.INSERT, row.toArray()));
    }
    for (int i = round + 3; i < rows.size(); i += 20) {
      changes.add(Row.delete(rows.get(i).toArray()));
    }
    return changes;
  }

  private static Object plus(Object id, int more) {
    return id instanceof Long number ? (Object) (number + more) : (Object) ((Integer) id + more);
  }

  private static void check(CoreTable ours, PaimonTable theirs, TableModel model) throws Exception {
    SameRows.check("read by us", ours.rows(), model.rows());
    List<List<Object>> read =
        ours.table().options().deletionCoding().isPresent() && ours.hasLevelZero()
            ? theirs.rowsAfterCompactingACopy()
            : theirs.rows();
    SameRows.check("read by Paimon", micros(read), model.rows());
  }

  /** Without what is below a microsecond: Spark and so we have no more. */
  private static List<List<Object>> micros(List<List<Object>> rows) {
    List<List<Object>> cut = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>(row);
      values.replaceAll(GoldenInteropTest::micros);
      cut.add(values);
    }
    return cut;
  }

  private static Object micros(Object value) {
    if (value instanceof LocalDateTime time) {
      return time.truncatedTo(ChronoUnit.MICROS);
    }
    return value instanceof Instant time ? time.truncatedTo(ChronoUnit.MICROS) : value;
  }
}
