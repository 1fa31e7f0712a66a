package io.obelus.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CallSparkTest {

  private static SparkSession spark;
  private static int tables;

  @BeforeAll
  static void aSessionThatKnowsCall() {
    System.setProperty("spark.sql.extensions", ObelusExtensions.class.getName());
    spark = Sessions.get();
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.calls");
  }

  /** A table with rows 1 to 100 in each of two partitions, ten of them deleted; without prefix. */
  private static String table() {
    String name = "calls.t" + tables++;
    spark.sql(
        "CREATE TABLE obelus."
            + name
            + " (id INT NOT NULL, pt INT NOT NULL, v INT) PARTITIONED BY (pt)"
            + " TBLPROPERTIES ('primary-key'='id,pt', 'bucket'='1')");
    for (int round = 0; round < 2; round++) {
      spark.sql(
          "INSERT INTO obelus."
              + name
              + " SELECT CAST(id AS INT), CAST(id % 2 AS INT), "
              + round
              + " FROM range(200)");
    }
    spark.sql("DELETE FROM obelus." + name + " WHERE id < 20");
    return name;
  }

  private static List<String> rows(String sql) {
    return spark.sql(sql).collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private static long snapshots(String table) {
    for (long id = 1; ; id++) {
      try {
        spark.sql("SELECT 1 FROM obelus." + table + " VERSION AS OF " + id).collect();
      } catch (RuntimeException e) {
        return id - 1;
      }
    }
  }

  @Test
  void a_full_compaction_leaves_one_file_and_all_rows() {
    String t = table();
    List<String> before = rows("SELECT * FROM obelus." + t);
    long snapshots = snapshots(t);
    List<Row> result = spark.sql("CALL obelus.sys.compact(table => '" + t + "')").collectAsList();
    assertThat(result).hasSize(2);
    for (Row row : result) {
      assertThat(row.<Long>getAs("files_after")).isEqualTo(1);
      assertThat(row.<Long>getAs("files_before")).isGreaterThan(1);
      assertThat(row.<Long>getAs("bytes_after")).isLessThan(row.<Long>getAs("bytes_before"));
    }
    assertThat(result.stream().map(r -> r.<String>getAs("partition")))
        .containsExactlyInAnyOrder("pt=0", "pt=1");
    assertThat(rows("SELECT * FROM obelus." + t)).isEqualTo(before).hasSize(180);
    assertThat(snapshots(t)).isEqualTo(snapshots + 1);
  }

  @Test
  void partitions_can_be_chosen_in_two_ways() {
    String t = table();
    assertThat(rows("CALL obelus.sys.compact('" + t + "', partitions => 'pt=1', dry_run => true)"))
        .singleElement()
        .asString()
        .startsWith("[pt=1,0,");
    assertThat(rows("CALL obelus.sys.compact(table => '" + t + "', where => 'pt + 1 = 1')"))
        .singleElement()
        .asString()
        .startsWith("[pt=0,0,");
    assertThatThrownBy(
            () ->
                rows(
                    "CALL obelus.sys.compact('"
                        + t
                        + "', where => 'pt = 1', partitions => 'pt=1')"))
        .hasMessageContaining("exclude each other");
    assertThatThrownBy(() -> rows("CALL obelus.sys.compact('" + t + "', where => 'v = 1')"))
        .hasMessageContaining("`v`");
    assertThatThrownBy(() -> rows("CALL obelus.sys.compact('" + t + "', partitions => 'v=1')"))
        .hasMessageContaining("argument 'partitions' should be like \"pt=…\"");
  }

  @Test
  void a_call_reads_like_any_statement() {
    String t = table();
    assertThat(
            rows(
                " /* a, b */ call obelus.`sys`.COMPACT( -- why\n"
                    + " TABLE => concat('"
                    + t
                    + "', ''), dry_run => 1 + 1 = 2 AND array(1, 2)[0] = 1 ) ; "))
        .hasSize(2);
    assertThat(
            spark
                .sql(
                    "CALL obelus.sys.compact(dry_run => :d, table => :t)",
                    Map.of("t", t, "d", true))
                .collectAsList())
        .hasSize(2);
    assertThat(
            spark
                .sql("CALL obelus.sys.compact(?, ?, dry_run => ?)", new Object[] {t, "pt=0", true})
                .collectAsList())
        .hasSize(1);
    spark.sql("USE obelus.calls");
    try {
      assertThat(rows("CALL sys.compact('" + t.substring(6) + "', dry_run => true)")).hasSize(2);
      assertThat(rows("SHOW PROCEDURES")).anyMatch(row -> row.startsWith("[sys.compact,"));
    } finally {
      spark.sql("USE spark_catalog.default");
    }
    assertThat(rows("SHOW PROCEDURES IN obelus")).isNotEmpty();
  }

  @Test
  void a_procedure_is_described() {
    assertThat(rows("DESCRIBE PROCEDURE obelus.sys.compact"))
        .contains(
            "[argument,table,STRING,true]",
            "[argument,dry_run,BOOLEAN,false]",
            "[result,partition,STRING,null]");
    assertThat(rows("desc procedure `obelus`.sys.delete_tag;")).hasSizeGreaterThan(2);
    assertThatThrownBy(() -> spark.sql("DESCRIBE PROCEDURE obelus.sys.none"))
        .hasMessageContaining("there is no procedure 'obelus.sys.none'")
        .hasMessageContaining("SHOW PROCEDURES IN obelus");
    assertThatThrownBy(() -> spark.sql("DESCRIBE PROCEDURE none")).isInstanceOf(Exception.class);
  }

  @Test
  void what_is_wrong_with_a_call_is_said() {
    Map.of(
            "CALL obelus.sys.compact()", "argument 'table' is missing",
            "CALL obelus.sys.compact('t', order_by => 'a')", "there is no argument 'order_by'",
            "CALL obelus.sys.compact('t', table => 'u')", "argument 'table' is given twice",
            "CALL obelus.sys.compact(table => 't', 'u')", "stands after one with a name",
            "CALL obelus.sys.compact(1)", "argument 'table' should be of type STRING",
            "CALL obelus.sys.compact('calls.none')", "there is no table 'calls.none'",
            "CALL obelus.sys.compact('t', compact_strategy => 'x')", "there is no table 't'",
            "CALL obelus.sys.nothing()", "there is no procedure 'obelus.sys.nothing'",
            "CALL obelus.sys.compact((SELECT 't'))", "has to be a constant, not a subquery",
            "CALL obelus.sys.compact(string(rand()))", "deterministic expression")
        .forEach(
            (call, message) ->
                assertThatThrownBy(() -> rows(call)).as(call).hasMessageContaining(message));
    assertThatThrownBy(() -> rows("CALL nobody.sys.compact('t')"))
        .hasMessageContaining("PARSE_SYNTAX_ERROR");
  }
}
