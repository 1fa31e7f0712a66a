package io.obelus.spark.rowlevel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.CoreTable;
import io.obelus.testing.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowLevelSparkTest {

  private static final SparkSession spark = Sessions.get();
  private static int tables;

  @BeforeAll
  static void aDatabase() {
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.rowlevel");
  }

  private static String table(String columns, String properties) {
    String name = "obelus.rowlevel.t" + tables++;
    spark.sql("CREATE TABLE " + name + " (" + columns + ") " + properties);
    return name;
  }

  private static String keyed(String columns, String key, String more) {
    return table(columns, "TBLPROPERTIES ('primary-key'='" + key + "'" + more + ")");
  }

  private static String withRows(String columns, String more, String values) {
    String t = keyed(columns, "id", more);
    spark.sql("INSERT INTO " + t + " VALUES " + values);
    return t;
  }

  private static List<String> rows(String table) {
    return spark.sql("SELECT * FROM " + table).collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  private static void sql(String text, Object... arguments) {
    spark.sql(text.formatted(arguments));
  }

  @Test
  void a_deleted_row_stays_deleted_however_often_it_is_deleted() {
    String t = keyed("id INT NOT NULL, v INT", "id", ", 'bucket'='1'");
    sql("INSERT INTO %s SELECT CAST(id AS INT), 0 FROM range(1, 11)", t);
    sql("DELETE FROM %s WHERE id = 5", t);
    assertThat(spark.table(t).count()).isEqualTo(9);
    sql("DELETE FROM %s WHERE id = 9", t);
    assertThat(spark.table(t).count()).isEqualTo(8);
    sql("DELETE FROM %s WHERE id = 5", t);
    assertThat(spark.table(t).count()).isEqualTo(8);
    assertThat(spark.sql("SELECT * FROM " + t + " VERSION AS OF 1").count()).isEqualTo(10);
    assertThat(spark.sql("SELECT * FROM " + t + " VERSION AS OF 2").count()).isEqualTo(9);
  }

  @Test
  void a_condition_that_is_null_takes_no_row() {
    String values = "(1,NULL),(2,5),(3,20)";
    for (String more : List.of("", ", 'deletion-vectors.enabled'='false'")) {
      String t = withRows("id INT NOT NULL, v INT", ", 'bucket'='2'" + more, values);
      sql("DELETE FROM %s WHERE v > 10", t);
      assertThat(rows(t)).containsExactly("[1,null]", "[2,5]");
      t = withRows("id INT NOT NULL, v INT", ", 'bucket'='2'" + more, values);
      sql("DELETE FROM %s WHERE NOT (v > 10)", t);
      assertThat(rows(t)).containsExactly("[1,null]", "[3,20]");
      t = withRows("id INT NOT NULL, v INT", ", 'bucket'='2'" + more, values);
      sql("UPDATE %s SET v = 0 WHERE v <> 5", t);
      assertThat(rows(t)).containsExactly("[1,null]", "[2,5]", "[3,0]");
    }
  }

  @Test
  void a_condition_may_need_a_cast() {
    String t =
        withRows(
            "id INT NOT NULL, data STRING", ", 'bucket'='1'", "(1,'1'),(2,'2'),(3,'a'),(4,'b')");
    sql("DELETE FROM %s WHERE data = 2", t);
    assertThat(rows(t)).containsExactly("[1,1]", "[3,a]", "[4,b]");
  }

  @Test
  void a_partition_and_a_value_are_deleted_together() {
    String t =
        table(
            "id INT NOT NULL, dt STRING NOT NULL, v STRING",
            "PARTITIONED BY (dt) TBLPROPERTIES ('primary-key'='id,dt','bucket'='2')");
    sql("INSERT INTO %s VALUES (1,'a','long value'),(2,'a','x'),(3,'b','long value')", t);
    sql("DELETE FROM %s WHERE dt = 'a' AND length(v) > 3", t);
    assertThat(rows(t)).containsExactly("[2,a,x]", "[3,b,long value]");
    sql("DELETE FROM %s WHERE dt = 'b'", t);
    assertThat(rows(t)).containsExactly("[2,a,x]");
    sql("DELETE FROM %s", t);
    assertThat(rows(t)).isEmpty();
  }

  @Test
  void a_merge_updates_deletes_and_inserts() {
    String merge =
        "MERGE INTO %s t USING (SELECT 5 AS id, 500 AS v) s ON t.id = s.id AND t.id > 4"
            + " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED BY SOURCE THEN ";
    String t = withRows("id INT NOT NULL, v INT", ", 'bucket'='2'", "(1,10),(5,50),(7,70)");
    sql(merge + "DELETE", t);
    assertThat(rows(t)).containsExactly("[5,500]");
    t = withRows("id INT NOT NULL, v INT", ", 'bucket'='2'", "(1,10),(5,50),(7,70)");
    sql(merge + "UPDATE SET v = -1", t);
    assertThat(rows(t)).containsExactly("[1,-1]", "[5,500]", "[7,-1]");
    sql(
        "MERGE INTO %s t USING (SELECT * FROM VALUES (7, 0), (8, 80) AS x(id, v)) s ON t.id = s.id"
            + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
        t);
    assertThat(rows(t)).containsExactly("[1,-1]", "[5,500]", "[8,80]");
  }

  @Test
  void two_source_rows_for_one_target_row_are_an_error() {
    String t = withRows("id INT NOT NULL, v STRING", ", 'bucket'='1'", "(1,'a'),(2,'b')");
    assertThatThrownBy(
            () ->
                sql(
                    "MERGE INTO %s t USING (SELECT * FROM VALUES (1,'x'),(1,'y') AS x(id, v)) s ON t.id = s.id"
                        + " WHEN MATCHED THEN UPDATE SET v = s.v",
                    t))
        .hasStackTraceContaining("MERGE_CARDINALITY_VIOLATION");
    assertThatThrownBy(
            () ->
                sql(
                    "MERGE INTO %s t USING (SELECT * FROM VALUES (3,'x'),(3,'y') AS x(id, v)) s ON t.id = s.id"
                        + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *",
                    t))
        .hasStackTraceContaining("more than one new row for the key id=3");
    assertThat(rows(t)).containsExactly("[1,a]", "[2,b]");
    // Spark makes a plain append of this one, in which one row of a key wins.
    sql(
        "MERGE INTO %s t USING (SELECT * FROM VALUES (3,'x'),(3,'x') AS x(id, v)) s ON t.id = s.id"
            + " WHEN NOT MATCHED THEN INSERT *",
        t);
    assertThat(rows(t)).containsExactly("[1,a]", "[2,b]", "[3,x]");
  }

  @Test
  void what_is_deleted_and_inserted_in_one_merge_is_there() {
    String t = withRows("id INT NOT NULL, v INT", ", 'bucket'='1'", "(1,10),(2,20)");
    sql(
        "MERGE INTO %s t USING (SELECT 1 AS id, 11 AS v) s ON t.id = s.id AND t.v < 0"
            + " WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN DELETE",
        t);
    assertThat(rows(t)).containsExactly("[1,11]");
  }

  @Test
  void the_primary_key_cannot_be_updated() {
    String t = withRows("id INT NOT NULL, v INT", ", 'bucket'='2'", "(1,10),(2,20)");
    assertThatThrownBy(() -> sql("UPDATE %s SET id = id + 1", t))
        .hasStackTraceContaining("an UPDATE may not change the primary key (id)");
    assertThat(rows(t)).containsExactly("[1,10]", "[2,20]");
  }

  @Test
  void deletes_and_updates_beat_the_sequence_of_the_stored_row() {
    for (String more : List.of("", ", 'deletion-vectors.enabled'='false'")) {
      String t =
          withRows(
              "id INT NOT NULL, v STRING, ver INT NOT NULL",
              ", 'bucket'='1', 'sequence.field'='ver'" + more,
              "(1,'a',5),(2,'b',6),(3,'c',7)");
      sql("DELETE FROM %s WHERE id = 1", t);
      sql("UPDATE %s SET v = 'x' WHERE id = 2", t);
      assertThat(rows(t)).as(more).containsExactly("[2,x,6]", "[3,c,7]");
    }
    String nullable =
        withRows(
            "id INT NOT NULL, v STRING, ver INT",
            ", 'bucket'='1', 'sequence.field'='ver'",
            "(1,'a',5),(2,'b',6)");
    sql("DELETE FROM %s WHERE id = 1", nullable);
    assertThat(rows(nullable)).containsExactly("[2,b,6]");
    String refused =
        withRows(
            "id INT NOT NULL, v STRING, ver INT",
            ", 'bucket'='1', 'sequence.field'='ver', 'deletion-vectors.enabled'='false'",
            "(1,'a',5)");
    assertThatThrownBy(() -> sql("DELETE FROM %s WHERE id = 1", refused))
        .hasStackTraceContaining("sequence.field column 'ver' may be null");
  }

  @Test
  void a_delete_without_bitmaps_carries_columns_that_may_not_be_null() {
    String t =
        withRows(
            "id INT NOT NULL, a STRING NOT NULL, b INT",
            ", 'bucket'='2', 'deletion-vectors.enabled'='false'",
            "(1,'a',5),(2,'b',6),(3,'c',7)");
    sql("DELETE FROM %s WHERE b = 6", t);
    sql("UPDATE %s SET a = 'z' WHERE id = 3", t);
    assertThat(rows(t)).containsExactly("[1,a,5]", "[3,z,7]");
  }

  @Test
  void a_table_without_key_loses_whole_partitions_only() {
    String t = table("id INT, pt STRING", "PARTITIONED BY (pt)");
    sql("INSERT INTO %s VALUES (1,'a'),(2,'b')", t);
    assertThatThrownBy(() -> sql("DELETE FROM %s WHERE id = 1", t))
        .hasStackTraceContaining("DELETE is not possible on this table: it has no primary key");
    assertThatThrownBy(() -> sql("UPDATE %s SET id = 3", t))
        .hasStackTraceContaining("UPDATE is not possible on this table: it has no primary key");
    sql("DELETE FROM %s WHERE pt = 'a'", t);
    assertThat(rows(t)).containsExactly("[2,b]");
  }

  @Test
  void a_column_of_others_with_a_name_that_spark_needs_is_not_overwritten(@TempDir Path directory)
      throws IOException {
    CoreTable.create(
        directory.resolve("t"),
        List.of("id INT NOT NULL", "__row_operation STRING"),
        List.of(),
        List.of("id"),
        Map.of("bucket", "1"));
    String t = "obelus.`" + directory.resolve("t") + "`";
    sql("INSERT INTO %s VALUES (1, 'a')", t);
    for (String statement :
        List.of("UPDATE %s SET __row_operation = 'b'", "DELETE FROM %s WHERE id = 1")) {
      assertThatThrownBy(() -> sql(statement, t))
          .hasMessageContaining("column '__row_operation' has a name that Spark needs for itself");
    }
    assertThat(rows(t)).containsExactly("[1,a]");
  }
}
