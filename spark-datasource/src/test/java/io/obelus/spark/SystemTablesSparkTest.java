package io.obelus.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** System tables by SQL. */
class SystemTablesSparkTest {

  private final SparkSession spark = Sessions.get();

  @BeforeEach
  void makeTable() {
    sql("CREATE DATABASE obelus.sys_tables");
    sql("USE obelus.sys_tables");
    sql(
        "CREATE TABLE t (id INT, dt DATE, v STRING) PARTITIONED BY (dt)"
            + " TBLPROPERTIES ('primary-key' = 'id,dt', 'bucket' = '1')");
    sql(
        "INSERT INTO t VALUES (1, DATE '2024-01-01', 'a'), (2, DATE '2024-01-01', 'b'),"
            + " (3, DATE '2024-01-01', 'c'), (1, DATE '2024-01-02', 'd')");
    sql("INSERT INTO t VALUES (2, DATE '2024-01-01', 'B')");
  }

  @AfterEach
  void dropDatabase() {
    sql("USE spark_catalog.default");
    sql("DROP DATABASE IF EXISTS obelus.sys_tables CASCADE");
  }

  private List<Row> sql(String text) {
    return spark.sql(text).collectAsList();
  }

  private List<String> texts(String text) {
    return sql(text).stream().map(row -> row.mkString("|")).toList();
  }

  @Test
  void columns_are_chosen_filtered_sorted_and_counted() {
    assertThat(texts("SELECT partition, level, record_count FROM `t$files` ORDER BY 1, 3 DESC"))
        .containsExactly("{2024-01-01}|5|3", "{2024-01-01}|4|1", "{2024-01-02}|5|1");
    assertThat(
            texts(
                "SELECT SUM(record_count), COUNT(*) FROM obelus.sys_tables.`t$FILES` WHERE level > 4"))
        .containsExactly("4|2");
    assertThat(texts("SELECT commit_kind FROM `t$snapshots` ORDER BY snapshot_id LIMIT 1"))
        .containsExactly("APPEND");
    assertThat(sql("SELECT * FROM `t$partitions` LIMIT 1")).hasSize(1);
    assertThat(texts("SELECT key FROM `t$options` WHERE key LIKE 'b%'")).containsExactly("bucket");
    assertThat(texts("SELECT dv_ranges[0]._CARDINALITY, size(dv_ranges) FROM `t$table_indexes`"))
        .containsExactly("1|1");
  }

  @Test
  void a_bitmap_shows_what_is_struck_out() {
    assertThat(
            texts(
                "SELECT b.record_count, b.struck_out_count, coding, live_share FROM"
                    + " `t$deletion_bitmaps` b JOIN `t$levels` l ON b.partition = l.partition AND"
                    + " b.record_count = l.record_count"))
        .containsExactly("3|1|BITMAP32|0.6666666666666666");
  }

  @Test
  void files_are_joined_with_the_rows_in_them() {
    assertThat(
            texts(
                "SELECT f.level, COUNT(*) FROM t JOIN `t$files` f ON t._file = f.file_path GROUP BY"
                    + " f.level ORDER BY 1"))
        .containsExactly("4|1", "5|3");
  }

  @Test
  void an_earlier_snapshot_can_be_looked_at() {
    long first = (long) sql("SELECT MIN(snapshot_id) FROM `t$snapshots`").get(0).get(0);
    for (String table : List.of("files", "partitions", "buckets", "manifests", "levels")) {
      assertThat(sql("SELECT * FROM `t$" + table + "` VERSION AS OF " + first))
          .as(table)
          .isNotEmpty()
          .isNotEqualTo(sql("SELECT * FROM `t$" + table + "`"));
    }
    assertThat(sql("SELECT * FROM `t$deletion_bitmaps` VERSION AS OF " + first)).isEmpty();
    assertThat(sql("SELECT * FROM `t$table_indexes` VERSION AS OF " + first)).isEmpty();
    LocalDateTime time =
        (LocalDateTime)
            sql("SELECT commit_time FROM `t$snapshots` WHERE snapshot_id = " + first).get(0).get(0);
    assertThat(texts("SELECT SUM(record_count) FROM `t$files` TIMESTAMP AS OF '" + time + "'"))
        .containsExactly("4");
    assertThat(spark.read().option("scan.snapshot-id", first).table("`t$files`").count())
        .isEqualTo(2);
    assertThatThrownBy(
            () -> spark.read().option("scan.snapshot-id", first).table("`t$tags`").count())
        .hasMessageContaining("sys_tables.t$tags shows the whole history");
    assertThatThrownBy(() -> sql("SELECT * FROM `t$schemas` VERSION AS OF " + first))
        .hasMessageContaining(
            "sys_tables.t$schemas shows the whole history of sys_tables.t, not one snapshot");
  }

  @Test
  void read_optimized_is_what_the_highest_level_holds() {
    assertThat(texts("SELECT * FROM `t$ro` ORDER BY dt, id"))
        .containsExactly("1|2024-01-01|a", "3|2024-01-01|c", "1|2024-01-02|d");
    assertThat(texts("SELECT COUNT(*) FROM `t$ro`")).containsExactly("3");
    long first = (long) sql("SELECT MIN(snapshot_id) FROM `t$snapshots`").get(0).get(0);
    assertThat(texts("SELECT COUNT(*) FROM `t$ro` VERSION AS OF " + first)).containsExactly("4");
    assertThatThrownBy(() -> sql("INSERT INTO `t$ro` VALUES (9, DATE '2024-01-01', 'x')"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("t$ro");
  }

  @Test
  void a_path_names_them_too() {
    String path = Sessions.warehouse() + "/sys_tables.db/t";
    assertThat(spark.read().format("obelus").load(path + "$files").count()).isEqualTo(3);
    assertThat(texts("SELECT COUNT(*) FROM obelus.`" + path + "$levels`")).containsExactly("3");
    assertThat(spark.read().format("obelus").load("obelus.sys_tables.`t$buckets`").count())
        .isEqualTo(2);
    assertThatThrownBy(
            () ->
                spark
                    .read()
                    .format("obelus")
                    .option("scan.level-0", "skip")
                    .load(path + "$files")
                    .count())
        .hasMessageContaining("option 'scan.level-0' cannot be set for a read of system table");
  }

  @Test
  void they_are_described_but_not_listed() {
    assertThat(texts("DESCRIBE TABLE `t$options`"))
        .containsExactly("key|string|null", "value|string|null");
    assertThat(texts("DESCRIBE TABLE EXTENDED `t$files`").toString())
        .contains("sys_tables.t$files");
    assertThat(sql("SHOW TABLES").stream().map(row -> row.getString(1))).containsExactly("t");
    assertThat(spark.catalog().tableExists("obelus.sys_tables.`t$files`")).isTrue();
    assertThat(spark.catalog().tableExists("obelus.sys_tables.`u$files`")).isFalse();
  }

  @Test
  void a_name_that_is_none_is_answered_with_those_there_are() {
    assertThatThrownBy(() -> sql("SELECT * FROM `t$file`"))
        .hasMessageContaining(
            "sys_tables.t has no system table '$file'; it has $branches, $buckets, $changes, $deletion_bitmaps, $file_indexes,");
    assertThatThrownBy(() -> sql("SELECT * FROM `u$files`"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
  }

  @Test
  void changes_are_refused_by_name() {
    assertThatThrownBy(() -> sql("INSERT INTO `t$options` VALUES ('a', 'b')"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("t$options")
        .hasMessageContaining("append");
    assertThatThrownBy(() -> sql("DELETE FROM `t$options`")).hasMessageContaining("t$options");
    assertThatThrownBy(() -> sql("TRUNCATE TABLE `t$options`")).hasMessageContaining("t$options");
    assertThatThrownBy(() -> sql("DROP TABLE `t$files`"))
        .hasMessageContaining(
            "sys_tables.t$files is a system table of sys_tables.t and can only be read: no DROP"
                + " TABLE");
    assertThatThrownBy(() -> sql("ALTER TABLE `t$files` SET TBLPROPERTIES ('a' = 'b')"))
        .hasMessageContaining("can only be read: no ALTER TABLE");
    assertThatThrownBy(() -> sql("ALTER TABLE `t$files` RENAME TO u"))
        .hasMessageContaining("can only be read: no ALTER TABLE … RENAME TO");
    assertThatThrownBy(() -> sql("ALTER TABLE t RENAME TO `u$files`"))
        .hasMessageContaining("the name 'u$files' has a dollar sign");
    assertThatThrownBy(() -> sql("CREATE TABLE `u$files` (id INT)"))
        .hasMessageContaining("the name 'u$files' has a dollar sign");
    assertThatThrownBy(() -> sql("CREATE OR REPLACE TABLE `t$files` AS SELECT 1 AS id"))
        .hasMessageContaining("the name 't$files' has a dollar sign");
    assertThat(sql("SELECT * FROM t")).hasSize(4);
  }

  @Test
  void the_session_catalog_has_them_as_well() {
    sql("CREATE TABLE spark_catalog.default.sys_t USING obelus AS SELECT 1 AS id");
    try {
      assertThat(texts("SELECT SUM(record_count) FROM spark_catalog.default.`sys_t$files`"))
          .containsExactly("1");
      assertThat(texts("SELECT COUNT(*) FROM spark_catalog.default.`sys_t$files` VERSION AS OF 1"))
          .containsExactly("1");
      assertThatThrownBy(() -> sql("DROP TABLE spark_catalog.default.`sys_t$files`"))
          .hasMessageContaining("can only be read: no DROP TABLE");
      assertThatThrownBy(() -> sql("SELECT * FROM spark_catalog.default.`sys_t$none`"))
          .hasMessageContaining("has no system table '$none'");
    } finally {
      sql("DROP TABLE spark_catalog.default.sys_t");
    }
  }

  @Test
  void a_name_without_quotes_is_spark_s_own_error() {
    assertThatThrownBy(() -> sql("SELECT * FROM t$files"))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("PARSE_SYNTAX_ERROR");
  }

  @Test
  void plans_say_what_is_read() {
    assertThat(spark.sql("SELECT * FROM `t$files`").queryExecution().optimizedPlan().stats())
        .satisfies(stats -> assertThat(stats.rowCount().get()).hasToString("3"));
  }
}
