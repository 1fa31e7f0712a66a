package io.obelus.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.row.RowType;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of another writer, read through Spark, row for row. */
class GoldenTablesSparkTest {

  private static final Path DIRECTORY = Sessions.fresh("golden");

  private final SparkSession spark = Sessions.get();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pk_dv_basic",
        "pk_dv_bitmap64",
        "pk_dv_all_types",
        "pk_dv_nested",
        "pk_mor_level0",
        "pk_sequence_field",
        "pk_partition_escape",
        "pk_dv_file_index",
        "pk_dv_schema_evolution",
        "append_dv",
        "append_partition_null"
      })
  void the_newest_snapshot_reads_as_its_writer_reads_it(String name) throws IOException {
    check(name, "expected", Map.of());
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 13, 16})
  void an_old_snapshot_reads_as_its_writer_reads_it(long id) throws IOException {
    // the writer's batch reads leave level 0 out, and 16 is a snapshot before its compaction
    check(
        "pk_dv_basic",
        "snapshot-" + id,
        Map.of("versionAsOf", String.valueOf(id), "scan.level-0", "skip"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pk_dv_level0_pending"})
  void level_zero_can_be_skipped(String name) throws IOException {
    check(name, "expected", Map.of("scan.level-0", "skip"));
  }

  private void check(String name, String state, Map<String, String> options) throws IOException {
    String path = GoldenTables.unpack(name, DIRECTORY).toString();
    RowType type = ObelusCatalog.atPath(path, false).table().schema().rowType();
    List<String> expected = GoldenRows.ofJson(type, GoldenTables.expected(name, state));
    for (String vectorized : List.of("true", "false")) {
      var rows =
          spark
              .read()
              .format("obelus")
              .options(options)
              .option("read.vectorized", vectorized)
              .load(path);
      List<String> found = GoldenRows.ofSpark(type, rows.collectAsList());
      String what = "%s, %s, vectorized %s".formatted(name, state, vectorized);
      assertThat(found.size()).as(what).isEqualTo(expected.size());
      for (int i = 0; i < found.size(); i++) { // one row at a time, for a message one can read
        assertThat(found.get(i)).as(what).isEqualTo(expected.get(i));
      }
      assertThat(rows.count()).as("count of %s, %s", name, state).isEqualTo(expected.size());
    }
  }
}
