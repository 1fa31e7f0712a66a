package io.obelus.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Databases and tables by SQL, without a row in them. */
class ObelusCatalogSparkTest {

  private static final String KEYED = " (id INT, v STRING) TBLPROPERTIES ('primary-key' = 'id')";

  private final SparkSession spark = Sessions.get();

  @BeforeEach
  void makeDatabase() {
    sql("CREATE DATABASE obelus.ddl");
  }

  @AfterEach
  void dropDatabase() {
    sql("DROP DATABASE IF EXISTS obelus.ddl CASCADE");
  }

  private List<Row> sql(String text) {
    return spark.sql(text).collectAsList();
  }

  private List<String> firstColumn(String text, int column) {
    return sql(text).stream().map(row -> row.getString(column)).toList();
  }

  private Map<String, String> properties(String table) {
    return sql("SHOW TBLPROPERTIES " + table).stream()
        .collect(Collectors.toMap(row -> row.getString(0), row -> row.getString(1)));
  }

  @Test
  void a_setting_of_a_catalog_that_nobody_knows_is_refused() {
    CaseInsensitiveStringMap slip = new CaseInsensitiveStringMap(Map.of("warehose", "/lake"));
    assertThatThrownBy(() -> new ObelusCatalog().initialize("lake", slip))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "setting 'spark.sql.catalog.lake.warehose' is not known; a catalog of ours has "
                + "'warehouse' and 'table-default.<option of tables>'");
    CaseInsensitiveStringMap known =
        new CaseInsensitiveStringMap(
            Map.of("Warehouse", Sessions.warehouse().toString(), "table-default.bucket", "1"));
    new ObelusCatalog().initialize("lake", known);
    new ObelusSessionCatalog()
        .initialize("spark_catalog", new CaseInsensitiveStringMap(Map.of("defaultDatabase", "d")));
  }

  @Test
  void databases_are_listed_made_and_dropped() {
    assertThat(firstColumn("SHOW DATABASES IN obelus", 0)).contains("ddl", "default");
    assertThatThrownBy(() -> sql("CREATE DATABASE obelus.ddl"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("SCHEMA_ALREADY_EXISTS");
    sql("CREATE TABLE obelus.ddl.t" + KEYED);
    assertThatThrownBy(() -> sql("DROP DATABASE obelus.ddl"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("SCHEMA_NOT_EMPTY");
    sql("DROP DATABASE obelus.ddl CASCADE");
    assertThat(firstColumn("SHOW DATABASES IN obelus", 0)).doesNotContain("ddl");
    assertThatThrownBy(() -> sql("SHOW TABLES IN obelus.ddl"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("SCHEMA_NOT_FOUND");
  }

  @Test
  void a_table_shows_its_key_and_options() {
    sql(
        "CREATE TABLE obelus.ddl.t (id INT, dt STRING, v DECIMAL(10, 2) COMMENT 'price') USING"
            + " obelus PARTITIONED BY (dt) COMMENT 'orders'"
            + " TBLPROPERTIES ('primary-key' = 'id,dt', 'bucket' = '2')");
    assertThat(firstColumn("SHOW TABLES IN obelus.ddl", 1)).containsExactly("t");
    assertThat(properties("obelus.ddl.t"))
        .containsEntry("primary-key", "id,dt")
        .containsEntry("bucket", "2")
        .containsEntry("deletion-vectors.enabled", "true");
    assertThat(spark.table("obelus.ddl.t").schema().toDDL())
        .isEqualTo("id INT NOT NULL,dt STRING NOT NULL,v DECIMAL(10,2) COMMENT 'price'");
    assertThat(sql("DESCRIBE TABLE EXTENDED obelus.ddl.t").toString())
        .contains("[# Partition Information,,]", "[Comment,orders,]", "[Provider,obelus,]");
    assertThatThrownBy(() -> sql("CREATE TABLE obelus.ddl.t" + KEYED))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("TABLE_OR_VIEW_ALREADY_EXISTS");
    sql("CREATE TABLE IF NOT EXISTS obelus.ddl.t" + KEYED);
    String again = sql("SHOW CREATE TABLE obelus.ddl.t").get(0).getString(0);
    Map<String, String> before = properties("obelus.ddl.t");
    sql("DROP TABLE obelus.ddl.t");
    sql(again);
    assertThat(properties("obelus.ddl.t")).isEqualTo(before);
  }

  @Test
  void an_empty_table_has_no_rows() {
    sql("CREATE TABLE obelus.ddl.t" + KEYED);
    assertThat(sql("SELECT * FROM obelus.ddl.t")).isEmpty();
    assertThat(sql("SELECT COUNT(*) FROM obelus.ddl.t").get(0).getLong(0)).isZero();
  }

  @Test
  void options_are_set_and_removed_and_other_changes_refused_by_name() {
    sql("CREATE TABLE obelus.ddl.t" + KEYED);
    sql("ALTER TABLE obelus.ddl.t SET TBLPROPERTIES ('write-only' = 'true')");
    assertThat(properties("obelus.ddl.t")).containsEntry("write-only", "true");
    sql("ALTER TABLE obelus.ddl.t UNSET TBLPROPERTIES ('write-only')");
    assertThat(properties("obelus.ddl.t")).doesNotContainKey("write-only");
    assertThatThrownBy(
            () -> sql("ALTER TABLE obelus.ddl.t SET TBLPROPERTIES ('primary-key' = 'v')"))
        .hasMessageContaining("property 'primary-key' of a table cannot be changed");
  }

  @Test
  void a_table_is_renamed_and_dropped() {
    sql("CREATE TABLE obelus.ddl.t" + KEYED);
    sql("ALTER TABLE obelus.ddl.t RENAME TO v");
    sql("ALTER TABLE obelus.ddl.v RENAME TO obelus.ddl.w");
    sql("ALTER TABLE obelus.ddl.w RENAME TO ddl.u");
    assertThat(firstColumn("SHOW TABLES IN obelus.ddl", 1)).containsExactly("u");
    sql("DROP TABLE obelus.ddl.u PURGE");
    assertThat(firstColumn("SHOW TABLES IN obelus.ddl", 1)).isEmpty();
    assertThatThrownBy(() -> sql("SELECT * FROM obelus.ddl.u"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    assertThatThrownBy(() -> sql("CREATE TABLE obelus.nowhere.t" + KEYED))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("SCHEMA_NOT_FOUND");
  }

  @Test
  void what_cannot_be_had_is_refused_by_name() {
    assertThatThrownBy(
            () -> sql("CREATE TABLE obelus.ddl.t (id INT) PARTITIONED BY (bucket(4, id))"))
        .hasMessageContaining("PARTITIONED BY bucket(4, id) cannot be had");
    assertThatThrownBy(() -> sql("CREATE TABLE obelus.ddl.t (id INT, _file STRING)"))
        .hasMessageContaining("column '_file' has the name of a metadata column");
    for (String name : List.of("__row_operation", "__ROW_ID", "__original_row_id_id")) {
      assertThatThrownBy(() -> sql("CREATE TABLE obelus.ddl.t (id INT, " + name + " STRING)"))
          .hasMessageContaining("column '" + name + "' has a name that Spark needs for itself");
    }
    assertThatThrownBy(() -> sql("CREATE TABLE obelus.ddl.t (id INT) LOCATION '/tmp/x'"))
        .hasMessageContaining("LOCATION 'file:/tmp/x' cannot be had");
    assertThatThrownBy(() -> sql("CREATE EXTERNAL TABLE obelus.ddl.t (id INT) LOCATION '/tmp/x'"))
        .hasMessageContaining("LOCATION 'file:/tmp/x' cannot be had");
    assertThatThrownBy(() -> sql("CREATE EXTERNAL TABLE obelus.ddl.t (id INT)"))
        .hasMessageContaining("EXTERNAL cannot be had");
    assertThatThrownBy(() -> sql("CREATE TABLE obelus.ddl.t (id INT) USING orc"))
        .hasMessageContaining("USING orc cannot be had");
    sql("CREATE TABLE obelus.ddl.t" + KEYED);
    assertThatThrownBy(() -> sql("SELECT * FROM obelus.ddl.t VERSION AS OF 'release'"))
        .hasMessageContaining("version 'release' should be a tag or the number of a snapshot");
  }

  @Test
  void a_table_is_made_and_read_by_its_path() {
    Path path = Sessions.fresh("by-path").resolve("t");
    sql("CREATE TABLE obelus.`" + path + "`" + KEYED);
    assertThat(Files.exists(path.resolve("schema/schema-0"))).isTrue();
    assertThat(spark.read().format("obelus").load(path.toString()).columns())
        .containsExactly("id", "v");
    assertThat(spark.read().format("obelus").load(path.toUri().toString()).collectAsList())
        .isEmpty();
    assertThat(sql("SELECT * FROM obelus.`" + path + "`")).isEmpty();
  }

  @Test
  void a_table_is_loaded_by_its_name() {
    sql("CREATE TABLE obelus.ddl.t" + KEYED);
    assertThat(spark.read().format("obelus").load("obelus.ddl.t").columns())
        .containsExactly("id", "v");
    assertThatThrownBy(() -> spark.read().format("obelus").load())
        .hasMessageContaining("needs a path or a table's name");
    assertThatThrownBy(
            () ->
                spark
                    .read()
                    .format("obelus")
                    .option("scan.levle-0", "skip")
                    .load("obelus.ddl.t")
                    .collect())
        .hasMessageContaining("option 'scan.levle-0' cannot be set for a read");
  }

  @Test
  void the_session_catalog_keeps_our_tables_beside_others() {
    sql("CREATE DATABASE both");
    try {
      sql(
          "CREATE TABLE both.ours (id INT, v STRING) USING obelus"
              + " TBLPROPERTIES ('primary-key' = 'id')");
      sql("CREATE TABLE both.others (id INT) USING parquet");
      sql("INSERT INTO both.others VALUES (1)");
      assertThat(firstColumn("SHOW TABLES IN both", 1)).containsExactlyInAnyOrder("ours", "others");
      assertThat(sql("SELECT * FROM both.ours")).isEmpty();
      assertThat(sql("SELECT o.id FROM both.others o LEFT ANTI JOIN both.ours u ON o.id = u.id"))
          .hasSize(1);
      assertThat(properties("both.ours")).containsEntry("primary-key", "id");
      assertThatThrownBy(() -> sql("CREATE TABLE both.others (id INT) USING obelus"))
          .hasMessageContaining("TABLE_OR_VIEW_ALREADY_EXISTS");
      assertThatThrownBy(() -> sql("DROP DATABASE both")).hasMessageContaining("SCHEMA_NOT_EMPTY");
      sql("DROP TABLE both.ours");
      assertThat(firstColumn("SHOW TABLES IN both", 1)).containsExactly("others");
    } finally {
      sql("DROP DATABASE both CASCADE");
    }
  }
}
