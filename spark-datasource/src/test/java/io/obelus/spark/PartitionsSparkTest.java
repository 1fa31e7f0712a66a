package io.obelus.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SHOW, DROP and TRUNCATE PARTITION, and what DESCRIBE says of a table. */
class PartitionsSparkTest {

  private final SparkSession spark = Sessions.get();

  @BeforeEach
  void makeTable() {
    sql("CREATE DATABASE obelus.partitions");
    sql("USE obelus.partitions");
    sql(
        "CREATE TABLE t (id INT, p STRING, d DATE, v STRING) PARTITIONED BY (p, d)"
            + " TBLPROPERTIES ('primary-key' = 'id,p,d', 'bucket' = '1')");
    sql(
        "INSERT INTO t VALUES (1, 'a', DATE '2024-01-01', 'x'), (2, 'a', DATE '2024-01-02', 'x'),"
            + " (3, 'b/c', DATE '2024-01-01', 'x'), (4, 'b/c', DATE '2024-01-01', 'x')");
    sql("INSERT INTO t VALUES (4, 'b/c', DATE '2024-01-01', 'y')");
  }

  @AfterEach
  void dropDatabase() {
    sql("USE spark_catalog.default");
    sql("DROP DATABASE IF EXISTS obelus.partitions CASCADE");
  }

  private List<Row> sql(String text) {
    return spark.sql(text).collectAsList();
  }

  private List<String> first(String text) {
    return sql(text).stream().map(row -> row.get(0).toString()).toList();
  }

  private long snapshots() {
    return sql("SELECT * FROM `t$snapshots`").size();
  }

  @Test
  void partitions_are_shown() {
    assertThat(first("SHOW PARTITIONS t"))
        .containsExactly("p=a/d=2024-01-01", "p=a/d=2024-01-02", "p=b%2Fc/d=2024-01-01");
    assertThat(first("SHOW PARTITIONS t PARTITION (d = DATE '2024-01-01')"))
        .containsExactly("p=a/d=2024-01-01", "p=b%2Fc/d=2024-01-01");
    assertThat(first("SHOW PARTITIONS t PARTITION (p = 'none')")).isEmpty();
    sql("CREATE TABLE flat (id INT)");
    assertThatThrownBy(() -> sql("SHOW PARTITIONS flat"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("PARTITION_SCHEMA_IS_EMPTY");
  }

  @Test
  void a_null_partition_is_shown_and_dropped() {
    sql("CREATE TABLE n (id INT, p INT) PARTITIONED BY (p)");
    sql("INSERT INTO n VALUES (1, NULL), (2, 7)");
    assertThat(first("SHOW PARTITIONS n")).containsExactly("p=7", "p=null");
    sql("ALTER TABLE n DROP PARTITION (p = NULL)");
    assertThat(first("SELECT id FROM n")).containsExactly("2");
  }

  @Test
  void partitions_are_dropped_together_in_one_snapshot() {
    long before = snapshots();
    sql(
        "ALTER TABLE t DROP PARTITION (p = 'a', d = DATE '2024-01-01'),"
            + " PARTITION (p = 'b/c', d = DATE '2024-01-01')");
    assertThat(snapshots()).isEqualTo(before + 1);
    assertThat(first("SELECT id FROM t")).containsExactly("2");
    assertThat(first("SHOW PARTITIONS t")).containsExactly("p=a/d=2024-01-02");
    assertThat(sql("SELECT * FROM t VERSION AS OF " + before)).hasSize(4);
    assertThatThrownBy(() -> sql("ALTER TABLE t DROP PARTITION (p = 'a', d = DATE '2024-01-01')"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("PARTITIONS_NOT_FOUND");
    sql("ALTER TABLE t DROP IF EXISTS PARTITION (p = 'a', d = DATE '2024-01-01')");
    assertThat(first("SELECT id FROM t")).containsExactly("2");
  }

  @Test
  void a_part_of_the_partition_columns_is_enough_to_truncate() {
    long before = snapshots();
    sql("TRUNCATE TABLE t PARTITION (p = 'a')");
    assertThat(first("SELECT id FROM t ORDER BY id")).containsExactly("3", "4");
    sql("TRUNCATE TABLE t PARTITION (p = 'b/c', d = DATE '2024-01-01')");
    assertThat(sql("SELECT * FROM t")).isEmpty();
    assertThat(snapshots()).isEqualTo(before + 2);
  }

  @Test
  void other_changes_of_partitions_are_refused_by_name() {
    assertThatThrownBy(() -> sql("ALTER TABLE t ADD PARTITION (p = 'z', d = DATE '2024-01-01')"))
        .hasStackTraceContaining("partitions.t: no ADD PARTITION");
    assertThatThrownBy(
            () -> sql("ALTER TABLE `t$ro` DROP PARTITION (p = 'a', d = DATE '2024-01-01')"))
        .hasStackTraceContaining("t$ro is a system table and can only be read");
    assertThat(sql("SELECT * FROM t")).hasSize(4);
  }

  @Test
  void describe_extended_says_what_is_in_the_table_now() {
    assertThat(described())
        .contains(
            "primary-key=id,p,d",
            "bucket=1",
            "current-snapshot=2",
            "current-files=4",
            "current-rows-live=4",
            "current-rows-struck-out=1")
        .containsPattern("current-size=[1-9]\\d+ bytes");
    sql("TRUNCATE TABLE t");
    assertThat(described())
        .contains("current-snapshot=3", "current-files=0", "current-size=0 bytes");
  }

  @Test
  void what_is_in_the_table_is_no_property_that_can_be_set() {
    Map<String, String> shown =
        sql("SHOW TBLPROPERTIES t").stream()
            .collect(Collectors.toMap(row -> row.getString(0), row -> row.getString(1)));
    assertThat(shown).containsEntry("bucket", "1").doesNotContainKey("current-snapshot");
    assertThat(first("SHOW CREATE TABLE t").get(0)).contains("'bucket'").doesNotContain("current-");
  }

  private String described() {
    return sql("DESCRIBE TABLE EXTENDED t").stream()
        .filter(row -> row.getString(0).equals("Table Properties"))
        .map(row -> row.getString(1))
        .findFirst()
        .orElseThrow();
  }
}
