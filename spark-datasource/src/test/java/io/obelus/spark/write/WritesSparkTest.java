package io.obelus.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class WritesSparkTest {

  private static final SparkSession spark = Sessions.get();
  private static int tables;

  @BeforeAll
  static void aDatabase() {
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.writes");
  }

  /** Creates a table and returns its name. */
  private static String table(String columns, String properties) {
    String name = "obelus.writes.t" + tables++;
    spark.sql("CREATE TABLE " + name + " (" + columns + ") " + properties);
    return name;
  }

  private static String keyed(String columns, String key, String more) {
    return table(columns, "TBLPROPERTIES ('primary-key'='" + key + "'" + more + ")");
  }

  private static List<String> rows(String table) {
    return spark.sql("SELECT * FROM " + table).collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  @Test
  void an_insert_of_a_key_that_is_there_replaces_its_row() {
    String t = keyed("a INT NOT NULL, b INT", "a", ", 'bucket'='1'");
    spark.sql("INSERT INTO " + t + " VALUES (1,2),(2,2),(3,3)");
    for (int b = 3; b <= 7; b++) {
      spark.sql("INSERT INTO " + t + " VALUES (1," + b + ")");
      assertThat(rows(t)).containsExactly("[1," + b + "]", "[2,2]", "[3,3]");
      assertThat(spark.table(t).count()).isEqualTo(3);
    }
  }

  @Test
  void many_keys_in_four_buckets_are_written_and_replaced() {
    String t = keyed("id BIGINT NOT NULL, v BIGINT, s STRING", "id", ", 'bucket'='4'");
    spark.sql("INSERT INTO " + t + " SELECT id, id, concat('x', id) FROM range(10000)");
    spark.sql("INSERT INTO " + t + " SELECT id * 3, -1L, NULL FROM range(5000)");
    assertThat(rows(t + " WHERE v <> -1")).hasSize(10_000 - 3334);
    assertThat(spark.table(t).count()).isEqualTo(10_000 + 5000 - 3334);
    assertThat(spark.sql("SELECT count(DISTINCT id) FROM " + t).head().getLong(0))
        .isEqualTo(10_000 + 5000 - 3334);
  }

  @Test
  void the_later_sequence_wins_within_one_commit_and_across() {
    String t =
        keyed(
            "id INT NOT NULL, day DATE, kw STRING", "id", ", 'bucket'='1','sequence.field'='day'");
    spark.sql(
        "INSERT INTO "
            + t
            + " VALUES (1,DATE'2020-02-21','a'),(1,DATE'2020-02-22','b'),(1,DATE'2020-03-05','c'),"
            + "(1,DATE'2020-02-26','d'),(1,DATE'2020-02-23','e'),(1,DATE'2020-02-24','b')");
    assertThat(rows(t)).containsExactly("[1,2020-03-05,c]");
    spark.sql("INSERT INTO " + t + " VALUES (1,DATE'2020-03-01','z')");
    assertThat(rows(t)).containsExactly("[1,2020-03-05,c]");
    spark.sql("INSERT INTO " + t + " VALUES (1,DATE'2020-03-05','y')");
    assertThat(rows(t)).containsExactly("[1,2020-03-05,y]");
  }

  @Test
  void equal_keys_of_one_commit_leave_one_row() {
    String t = keyed("id INT NOT NULL, v INT", "id", ", 'bucket'='2'");
    spark.sql(
        "INSERT INTO " + t + " SELECT CAST(id % 10 AS INT), CAST(id AS INT) FROM range(1000)");
    assertThat(rows(t)).hasSize(10);
  }

  @Test
  void null_in_a_key_column_is_refused() {
    String t = keyed("id INT NOT NULL, v INT", "id", ", 'bucket'='2'");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "INSERT INTO "
                        + t
                        + " SELECT IF(id = 5, NULL, CAST(id AS INT)), 1 FROM range(10)"))
        .isNotNull();
    assertThat(rows(t)).isEmpty();
  }

  private static final String[][] OVERWRITES = {
    {"static", "INSERT OVERWRITE %s VALUES (3,'p1')", "[3,p1]"},
    {"static", "INSERT OVERWRITE %s PARTITION (pt='p1') VALUES (3)", "[2,p2] [3,p1]"},
    {"dynamic", "INSERT OVERWRITE %s VALUES (3,'p1')", "[2,p2] [3,p1]"},
    {"static", "INSERT OVERWRITE %s SELECT * FROM %<s WHERE id > 100", ""},
    {"dynamic", "INSERT OVERWRITE %s SELECT * FROM %<s WHERE id > 100", "[1,p1] [2,p2]"},
    {
      "static",
      "INSERT OVERWRITE %s PARTITION (pt='p1') SELECT id FROM %<s WHERE id > 100",
      "[2,p2]"
    },
  };

  @Test
  void an_overwrite_replaces_what_it_says() {
    for (String[] line : OVERWRITES) {
      String t =
          table(
              "id INT NOT NULL, pt STRING NOT NULL",
              "PARTITIONED BY (pt) TBLPROPERTIES ('primary-key'='id,pt','bucket'='2')");
      spark.sql("INSERT INTO " + t + " VALUES (1,'p1'),(2,'p2'),(8,'p1'),(9,'p2')");
      spark.sql("DELETE FROM " + t + " WHERE id > 7");
      assertThat(rows(t)).containsExactly("[1,p1]", "[2,p2]");
      spark.conf().set("spark.sql.sources.partitionOverwriteMode", line[0]);
      try {
        spark.sql(line[1].formatted(t));
      } finally {
        spark.conf().unset("spark.sql.sources.partitionOverwriteMode");
      }
      assertThat(String.join(" ", rows(t))).as("%s: %s", line[0], line[1]).isEqualTo(line[2]);
    }
  }
}
