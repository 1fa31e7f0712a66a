package io.obelus.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ALTER TABLE of columns, by SQL. */
class AlterTableSparkTest {

  private static final String KEYED = " TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1')";

  private final SparkSession spark = Sessions.get();

  @BeforeEach
  void makeDatabase() {
    sql("CREATE DATABASE obelus.alters");
    sql("USE obelus.alters");
  }

  @AfterEach
  void dropDatabase() {
    sql("USE spark_catalog.default");
    sql("DROP DATABASE IF EXISTS obelus.alters CASCADE");
    sql("DROP TABLE IF EXISTS spark_catalog.default.altered");
  }

  private List<Row> sql(String text) {
    return spark.sql(text).collectAsList();
  }

  private String rows(String text) {
    return sql(text).toString();
  }

  private List<Object> ids(String condition) {
    return sql("SELECT id FROM t WHERE " + condition + " ORDER BY id").stream()
        .map(row -> row.get(0))
        .toList();
  }

  private static Path directory(String table) {
    return Sessions.warehouse().resolve("alters.db").resolve(table);
  }

  private static void compact() throws IOException {
    CoreTable.open(directory("t")).compact(true);
  }

  private static void refused(Runnable statement, String message) {
    assertThatThrownBy(statement::run).hasMessageContaining(message);
  }

  /** O-30, with the rows where they were written and after they are all rewritten. */
  @Test
  void indexes_and_statistics_of_older_files_answer_rightly() throws IOException {
    evolve(true, false);
    evolve(true, true);
    evolve(false, false);
  }

  private void evolve(boolean keyed, boolean compacted) throws IOException {
    String more = keyed ? ", 'primary-key' = 'id', 'bucket' = '1'" : "";
    sql(
        "CREATE TABLE t (id INT, a INT) TBLPROPERTIES ('file-index.bitmap.columns' = 'a',"
            + " 'write-only' = 'true'"
            + more
            + ")");
    sql("INSERT INTO t VALUES (1, 1), (2, NULL)");
    sql("ALTER TABLE t ADD COLUMN b INT");
    sql("ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'a,b')");
    sql("INSERT INTO t VALUES (3, 3, 30), (4, 4, NULL)");
    settle(compacted);
    assertThat(ids("b IS NULL")).containsExactly(1, 2, 4);
    assertThat(ids("b IS NOT NULL")).containsExactly(3);
    assertThat(ids("b = 30")).containsExactly(3);
    assertThat(ids("b <> 30")).isEmpty();
    assertThat(ids("b <=> NULL")).containsExactly(1, 2, 4);
    assertThat(ids("NOT (b <=> 30)")).containsExactly(1, 2, 4);
    assertThat(ids("a = 3")).containsExactly(3);

    sql("ALTER TABLE t RENAME COLUMN b TO bb");
    assertThat(rows("SHOW TBLPROPERTIES t ('file-index.bitmap.columns')"))
        .isEqualTo("[[file-index.bitmap.columns,a,bb]]");
    assertThat(ids("bb = 30")).containsExactly(3);
    refused(
        () -> sql("ALTER TABLE t DROP COLUMN a"),
        "column 'a' cannot be dropped: option 'file-index.bitmap.columns' names it");
    sql("ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'bb')");
    sql("ALTER TABLE t DROP COLUMN a");
    sql("ALTER TABLE t ADD COLUMN a STRING");
    sql("ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'a,bb')");
    settle(compacted);
    assertThat(ids("a IS NULL")).containsExactly(1, 2, 3, 4);
    assertThat(ids("a = '1'")).isEmpty();
    assertThat(ids("a <> '1'")).isEmpty();
    sql("INSERT INTO t VALUES (5, NULL, '1')");
    assertThat(ids("a = '1'")).containsExactly(5);

    sql("ALTER TABLE t ALTER COLUMN bb TYPE BIGINT");
    assertThat(ids("bb = 30")).containsExactly(3);
    assertThat(ids("bb IS NULL")).containsExactly(1, 2, 4, 5);
    sql("INSERT INTO t VALUES (6, 3000000000, NULL)");
    settle(compacted);
    assertThat(ids("bb = 3000000000")).containsExactly(6);
    assertThat(ids("bb < 3000000000")).containsExactly(3);
    assertThat(ids("bb IN (30, 3000000000)")).containsExactly(3, 6);
    assertThat(ids("bb IS NULL")).containsExactly(1, 2, 4, 5);
    assertThat(rows("SELECT * FROM t ORDER BY id"))
        .isEqualTo(
            "[[1,null,null], [2,null,null], [3,30,null], [4,null,null], [5,null,1],"
                + " [6,3000000000,null]]");
    sql("DROP TABLE t");
  }

  private void settle(boolean compacted) throws IOException {
    if (compacted) {
      compact();
    }
  }

  @Test
  void a_name_that_moves_on_leaves_its_values_behind() {
    sql("CREATE TABLE t (id INT, v INT)");
    sql("INSERT INTO t VALUES (1, 10)");
    sql("INSERT INTO t VALUES (2, 20)");
    sql("ALTER TABLE t RENAME COLUMN v TO w");
    sql("ALTER TABLE t ADD COLUMN v INT");
    assertThat(ids("w = 20")).containsExactly(2);
    assertThat(ids("v IS NULL")).containsExactly(1, 2);
    assertThat(ids("v = 20")).isEmpty();
  }

  @Test
  void columns_and_fields_change_and_Paimon_goes_on() throws Exception {
    sql(
        "CREATE TABLE t (id INT, v VARCHAR(3), s STRUCT<x: INT, y: STRING>,"
            + " l ARRAY<STRUCT<n: INT>>, m MAP<STRING, STRUCT<w: INT>>, g INT NOT NULL)"
            + KEYED);
    sql(
        "INSERT INTO t VALUES (1, 'abc', struct(1, 'y'), array(struct(5)),"
            + " map('k', struct(7)), 9)");
    sql("ALTER TABLE t ADD COLUMNS (d DATE COMMENT 'day' FIRST, e DECIMAL(5, 2) AFTER v)");
    sql("ALTER TABLE t ADD COLUMNS (s.z INT FIRST, l.element.o INT, m.value.u STRING)");
    sql("ALTER TABLE t RENAME COLUMN s.x TO xx");
    sql("ALTER TABLE t DROP COLUMN s.y");
    sql("ALTER TABLE t ALTER COLUMN v TYPE STRING");
    sql("ALTER TABLE t ALTER COLUMN v COMMENT 'text'");
    sql("ALTER TABLE t ALTER COLUMN g DROP NOT NULL");
    sql("ALTER TABLE t ALTER COLUMN g AFTER id");
    sql("ALTER TABLE t RENAME COLUMN id TO key");
    sql("COMMENT ON TABLE t IS 'changed'");
    assertThat(rows("SELECT d, key, g, v, e, s, l[0], m['k'] FROM t"))
        .isEqualTo("[[null,1,9,abc,null,[null,1],[5,null],[7,null]]]");
    assertThat(rows("DESCRIBE t"))
        .contains("[d,date,day]", "[v,string,text]", "[key,int,null]", "struct<z:int,xx:int>");
    assertThat(rows("SHOW TBLPROPERTIES t ('primary-key')")).isEqualTo("[[primary-key,key]]");

    PaimonTable theirs = new PaimonTables(Sessions.fresh("paimon")).open(directory("t"));
    assertThat(theirs.table().comment()).contains("changed");
    assertThat(theirs.rows().toString()).contains("abc");
    sql(
        "INSERT INTO t VALUES (NULL, 1, NULL, 'longer', NULL, NULL, NULL, NULL),"
            + " (NULL, 2, NULL, 'two', NULL, NULL, NULL, NULL)");
    sql("UPDATE t SET s = named_struct('z', 3, 'xx', 4) WHERE key = 2");
    assertThat(rows("SELECT key, g, v, s FROM t ORDER BY key"))
        .isEqualTo("[[1,null,longer,null], [2,null,two,[3,4]]]");
    assertThat(theirs.reopened().rows()).hasSize(2);
    theirs.reopened().compact();
    assertThat(rows("SELECT key, g, v, s FROM t ORDER BY key"))
        .isEqualTo("[[1,null,longer,null], [2,null,two,[3,4]]]");
  }

  @Test
  void what_cannot_change_is_refused_by_name() {
    sql(
        "CREATE TABLE t (id INT, p INT, q INT, v INT) PARTITIONED BY (p) TBLPROPERTIES"
            + " ('primary-key' = 'id,p', 'bucket' = '1', 'sequence.field' = 'q')");
    refused(
        () -> sql("ALTER TABLE t DROP COLUMN id"),
        "column 'id' cannot be dropped: it is part of the primary key");
    refused(
        () -> sql("ALTER TABLE t RENAME COLUMN p TO pp"),
        "column 'p' cannot be renamed: it is a partition column");
    refused(
        () -> sql("ALTER TABLE t DROP COLUMN q"),
        "column 'q' cannot be dropped: option 'sequence.field' names it");
    refused(
        () -> sql("ALTER TABLE t ADD COLUMN c INT NOT NULL"),
        "column 'c' cannot be added as NOT NULL");
    refused(
        () -> sql("ALTER TABLE t ADD COLUMN _file STRING"),
        "column '_file' has the name of a metadata column");
    refused(
        () -> sql("ALTER TABLE t RENAME COLUMN v TO _pos"),
        "column '_pos' has the name of a metadata column");
    refused(
        () -> sql("ALTER TABLE t RENAME COLUMN v TO __row_from_source"),
        "column '__row_from_source' has a name that Spark needs for itself");
    refused(
        () -> sql("ALTER TABLE t ALTER COLUMN v TYPE STRING"),
        "column 'v' cannot change from INT to STRING");
    refused(() -> sql("ALTER TABLE t ADD COLUMN c INT DEFAULT 7"), "DEFAULT");
    for (String statement :
        List.of(
            "ALTER TABLE t ALTER COLUMN v SET NOT NULL",
            "ALTER TABLE t ALTER COLUMN v TYPE SMALLINT",
            "ALTER TABLE t ADD COLUMN V INT",
            "ALTER TABLE t DROP COLUMN nowhere")) {
      assertThatThrownBy(() -> sql(statement)).isInstanceOf(AnalysisException.class);
    }
    refused(() -> sql("ALTER TABLE `t$files` ADD COLUMN c INT"), "is a system table of alters.t");
    assertThat(rows("SELECT max(schema_id) FROM `t$schemas`")).isEqualTo("[[0]]");
  }

  @Test
  void each_statement_makes_one_schema_and_a_name_is_found_in_any_case() {
    sql("CREATE TABLE t (id INT, Value INT)" + KEYED);
    sql("ALTER TABLE t ADD COLUMNS (b INT, c INT)");
    sql("ALTER TABLE t RENAME COLUMN VALUE TO v");
    sql("ALTER TABLE t DROP COLUMNS (B, c)");
    assertThat(rows("SELECT schema_id FROM `t$schemas` ORDER BY 1"))
        .isEqualTo("[[0], [1], [2], [3]]");
    assertThat(spark.table("t").columns()).containsExactly("id", "v");
  }

  @Test
  void tables_of_the_session_catalog_change_too() {
    sql("CREATE TABLE spark_catalog.default.altered (id INT, v INT) USING obelus" + KEYED);
    sql("USE spark_catalog.default");
    sql("INSERT INTO altered VALUES (1, 10)");
    sql("ALTER TABLE altered ADD COLUMN c STRING AFTER id");
    sql("ALTER TABLE altered ALTER COLUMN v TYPE BIGINT");
    sql("INSERT INTO altered VALUES (2, 'two', 3000000000)");
    sql("ALTER TABLE altered RENAME COLUMN c TO d");
    assertThat(rows("SELECT * FROM altered ORDER BY id"))
        .isEqualTo("[[1,null,10], [2,two,3000000000]]");
    sql("ALTER TABLE altered DROP COLUMN d");
    assertThat(rows("SELECT * FROM altered ORDER BY id")).isEqualTo("[[1,10], [2,3000000000]]");
  }

  @Test
  void older_snapshots_keep_their_columns() {
    sql("CREATE TABLE t (id INT, v INT)" + KEYED);
    sql("INSERT INTO t VALUES (1, 10)");
    sql("ALTER TABLE t DROP COLUMN v");
    sql("ALTER TABLE t ADD COLUMN w INT");
    sql("INSERT INTO t VALUES (2, 20)");
    assertThat(rows("SELECT id, v FROM t VERSION AS OF 1")).isEqualTo("[[1,10]]");
    assertThat(rows("SELECT id, w FROM t ORDER BY id")).isEqualTo("[[1,null], [2,20]]");
  }
}
