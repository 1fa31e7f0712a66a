package io.obelus.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.PaimonTable.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tests leave behind is looked at, without their asking for it. */
class WatchedTablesTest {

  @TempDir private Path directory;

  private CoreTable table() throws IOException {
    return CoreTable.create(
        directory.resolve("below/t"),
        List.of("k BIGINT NOT NULL"),
        List.of(),
        List.of("k"),
        Map.of("bucket", "1"));
  }

  private static void deleteDataFiles(Path table) throws IOException {
    try (var files = Files.list(table.resolve("bucket-0"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
  }

  private static void isFoundOnce() {
    assertThatThrownBy(WholeTables::look)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the file is missing");
    assertThatCode(WholeTables::look).doesNotThrowAnyException();
  }

  @Test
  void damage_in_a_temporary_directory_is_found_once() throws IOException {
    table().write(Row.insert(1L));
    WholeTables.look();
    deleteDataFiles(directory.resolve("below/t"));
    isFoundOnce();
  }

  @Test
  void damage_in_a_branch_is_found() throws IOException {
    CoreTable table = table();
    table.table().branches().create("b", null);
    table.onBranch("b").write(Row.insert(1L));
    deleteDataFiles(directory.resolve("below/t"));
    isFoundOnce();
  }

  @Test
  void damage_is_found_before_a_table_is_dropped_or_replaced() throws IOException {
    SparkSession spark = Sessions.get();
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.watched");
    for (String goes :
        List.of(
            "DROP TABLE obelus.watched.t",
            "CREATE OR REPLACE TABLE obelus.watched.t (k INT)",
            "CREATE OR REPLACE TABLE obelus.watched.t AS SELECT 1 AS k",
            "DROP DATABASE obelus.watched CASCADE")) {
      spark.sql("DROP TABLE IF EXISTS obelus.watched.t");
      spark.sql("CREATE TABLE obelus.watched.t AS SELECT 1 AS k");
      deleteDataFiles(Sessions.warehouse().resolve("watched.db/t"));
      assertThatThrownBy(() -> spark.sql(goes))
          .as(goes)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the file is missing");
      spark.sql(goes);
    }
  }
}
