package io.obelus.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that a query makes or replaces. */
class StagedTablesSparkTest {

  private static final String FAILS =
      "SELECT CAST(raise_error('on purpose') AS INT) AS id, 'x' AS v";

  private final SparkSession spark = Sessions.get();

  @BeforeEach
  void makeDatabase() {
    sql("CREATE DATABASE obelus.staged");
  }

  @AfterEach
  void dropDatabase() {
    sql("DROP DATABASE IF EXISTS obelus.staged CASCADE");
  }

  private List<Row> sql(String text) {
    return spark.sql(text).collectAsList();
  }

  private String rows(String from) {
    return sql("SELECT id, v FROM " + from + " ORDER BY id").toString();
  }

  @Test
  void save_makes_a_table_with_the_options_of_the_writer() {
    Path path = Sessions.fresh("save").resolve("t");
    spark
        .sql("SELECT 1 AS id, 'a' AS v UNION ALL SELECT 2, 'b'")
        .write()
        .format("obelus")
        .option("primary-key", "id")
        .option("bucket", "1")
        .save(path.toString());
    ObelusTable table = ObelusCatalog.atPath(path.toString(), false);
    assertThat(table.properties()).containsEntry("primary-key", "id").containsEntry("bucket", "1");
    spark
        .sql("SELECT 2 AS id, 'B' AS v")
        .write()
        .format("obelus")
        .option("primary-key", "id")
        .mode(SaveMode.Append)
        .save(path.toString());
    String from = "obelus.`" + path + "`";
    assertThat(rows(from)).isEqualTo("[[1,a], [2,B]]");
    spark
        .sql("SELECT 3 AS id, 'c' AS v")
        .write()
        .format("obelus")
        .mode(SaveMode.Ignore)
        .save(path.toString());
    assertThat(rows(from)).isEqualTo("[[1,a], [2,B]]");
    assertThatThrownBy(
            () ->
                spark.range(1).write().format("obelus").mode("errorifexists").save(path.toString()))
        .hasMessageContaining("TABLE_OR_VIEW_ALREADY_EXISTS");
    spark
        .sql("SELECT 9 AS id, 'z' AS v")
        .write()
        .format("obelus")
        .mode(SaveMode.Overwrite)
        .save(path.toString());
    assertThat(rows(from)).isEqualTo("[[9,z]]");
  }

  @Test
  void a_create_whose_query_fails_leaves_no_table() {
    assertThatThrownBy(
            () ->
                sql("CREATE TABLE obelus.staged.t TBLPROPERTIES ('primary-key' = 'v') AS " + FAILS))
        .hasStackTraceContaining("on purpose");
    assertThat(sql("SHOW TABLES IN obelus.staged")).isEmpty();
    sql("CREATE TABLE obelus.staged.t TBLPROPERTIES ('primary-key' = 'id') AS SELECT 1 id, 'a' v");
    assertThat(rows("obelus.staged.t")).isEqualTo("[[1,a]]");
    assertThat(spark.table("obelus.staged.t").schema().apply("id").nullable()).isFalse();
  }

  @Test
  void a_replace_whose_query_fails_leaves_the_old_table() throws Exception {
    sql("CREATE TABLE obelus.staged.t TBLPROPERTIES ('primary-key' = 'id') AS SELECT 1 id, 'a' v");
    assertThatThrownBy(
            () ->
                sql(
                    "REPLACE TABLE obelus.staged.t TBLPROPERTIES ('primary-key' = 'v') AS "
                        + FAILS))
        .hasStackTraceContaining("on purpose");
    assertThat(rows("obelus.staged.t")).isEqualTo("[[1,a]]");
    sql(
        "CREATE OR REPLACE TABLE obelus.staged.t TBLPROPERTIES ('primary-key' = 'v') AS"
            + " SELECT id + 1 AS id, 'b' AS v, 0 AS w FROM obelus.staged.t");
    assertThat(sql("SELECT * FROM obelus.staged.t").toString()).isEqualTo("[[2,b,0]]");
    assertThat(sql("SHOW TABLES IN obelus.staged")).hasSize(1);
    try (var entries = Files.list(Sessions.warehouse().resolve("staged.db"))) {
      assertThat(entries.map(e -> e.getFileName().toString())).containsExactly("t");
    }
    assertThatThrownBy(() -> sql("REPLACE TABLE obelus.staged.none AS SELECT 1 AS id"))
        .hasMessageContaining("cannot be found");
  }

  @Test
  void a_path_without_a_table_says_how_to_make_one() {
    String path = Sessions.warehouse().resolve("staged.db/elsewhere").toString();
    var rows = spark.sql("SELECT 1 AS id, 'a' AS v");
    for (String mode : new String[] {"append", "overwrite"}) {
      assertThatThrownBy(() -> rows.write().format("obelus").mode(mode).save(path))
          .hasMessageStartingWith("There is no table at " + path)
          .hasMessageContaining("write without a mode");
    }
    assertThatThrownBy(() -> spark.read().format("obelus").load(path))
        .hasMessageStartingWith("There is no table at " + path);
    rows.write().format("obelus").option("primary-key", "id").save(path);
    rows.write().format("obelus").mode("append").save(path);
    assertThat(spark.read().format("obelus").load(path).count()).isEqualTo(1);
  }

  @Test
  void an_empty_replacement_and_save_as_table_work() {
    spark
        .sql("SELECT 1 AS id, 'a' AS v")
        .write()
        .format("obelus")
        .option("primary-key", "id")
        .saveAsTable("obelus.staged.t");
    assertThat(rows("obelus.staged.t")).isEqualTo("[[1,a]]");
    sql("REPLACE TABLE obelus.staged.t (id INT, v STRING) TBLPROPERTIES ('primary-key' = 'id')");
    assertThat(rows("obelus.staged.t")).isEqualTo("[]");
    spark
        .sql("SELECT 5 AS id, 'e' AS v")
        .write()
        .format("obelus")
        .mode(SaveMode.Append)
        .saveAsTable("obelus.staged.t");
    assertThat(rows("obelus.staged.t")).isEqualTo("[[5,e]]");
  }

  @Test
  void a_table_in_the_session_catalog_is_made_by_a_query() {
    sql("CREATE DATABASE staged");
    try {
      sql(
          "CREATE TABLE staged.t USING obelus TBLPROPERTIES ('primary-key' = 'id')"
              + " AS SELECT 1 AS id, 'a' AS v");
      assertThat(rows("staged.t")).isEqualTo("[[1,a]]");
      sql("CREATE TABLE staged.p USING parquet AS SELECT 2 AS id, 'b' AS v");
      sql("INSERT INTO staged.t SELECT * FROM staged.p");
      assertThat(rows("staged.t")).isEqualTo("[[1,a], [2,b]]");
    } finally {
      sql("DROP DATABASE staged CASCADE");
    }
  }
}
