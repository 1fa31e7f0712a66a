package io.obelus.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.types.DataTypes;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TimeTravelSparkTest {

  private static final SparkSession SPARK = Sessions.get();
  private static final String T = "obelus.travels.t";
  private static Table table;

  /** Snapshot 1: (1, a). 2: (1, b). Then column n. 3: (1, c, 7). Tags one = 1, 3 = snapshot 2. */
  @BeforeAll
  static void a_table_with_a_past() throws Exception {
    SPARK.sql("CREATE DATABASE IF NOT EXISTS obelus.travels");
    SPARK.sql("CREATE TABLE " + T + " (id INT, v STRING) TBLPROPERTIES ('primary-key' = 'id')");
    SPARK.sql("INSERT INTO " + T + " VALUES (1, 'a')");
    SPARK.sql("INSERT INTO " + T + " VALUES (1, 'b')");
    Path path = Sessions.warehouse().resolve("travels.db/t");
    new PaimonTables(Sessions.fresh("paimon"))
        .open(path)
        .alter(SchemaChange.addColumn("n", DataTypes.INT()));
    SPARK.sql("INSERT INTO " + T + " VALUES (1, 'c', 7)");
    table = ObelusCatalog.atPath(path.toString(), false).table();
    table.tags().create("one", table.snapshots().get(1), null);
    table.tags().create("3", table.snapshots().get(2), null);
  }

  private static String sql(String text) {
    return SPARK.sql(text).collectAsList().toString();
  }

  /** By name and by path; then as a table, which has the columns of now. */
  private static void check(Map<String, String> options, String then, String inColumnsOfNow) {
    for (String place : List.of(T, table.directory().root())) {
      assertThat(
              SPARK.read().format("obelus").options(options).load(place).collectAsList().toString())
          .as("%s of %s", options, place)
          .isEqualTo(then);
    }
    assertThat(SPARK.read().options(options).table(T).collectAsList().toString())
        .as("%s of a table", options)
        .isEqualTo(inColumnsOfNow);
  }

  @Test
  void a_version_is_a_tag_or_a_snapshot_and_the_tag_wins() {
    assertThat(sql("SELECT * FROM " + T + " VERSION AS OF 'one'")).isEqualTo("[[1,a]]");
    assertThat(sql("SELECT * FROM " + T + " VERSION AS OF 2")).isEqualTo("[[1,b]]");
    assertThat(sql("SELECT * FROM " + T + " VERSION AS OF '3'")).isEqualTo("[[1,b]]");
    assertThat(sql("SELECT * FROM " + T)).isEqualTo("[[1,c,7]]");
    assertThatThrownBy(() -> sql("SELECT * FROM " + T + " VERSION AS OF 'two'"))
        .hasMessageContaining("version 'two' should be a tag or the number of a snapshot")
        .hasMessageContaining("it has 3, one");
  }

  @Test
  void options_of_a_reader_travel_too() throws IOException {
    check(Map.of("scan.snapshot-id", "2"), "[[1,b]]", "[[1,b,null]]");
    check(Map.of("scan.tag-name", "one"), "[[1,a]]", "[[1,a,null]]");
    check(Map.of("SCAN.VERSION", "one"), "[[1,a]]", "[[1,a,null]]");
    check(Map.of("scan.tag-name", "3"), "[[1,b]]", "[[1,b,null]]");
    String second = Long.toString(table.snapshots().get(2).timeMillis());
    check(Map.of("scan.timestamp-millis", second), "[[1,b]]", "[[1,b,null]]");
    String time =
        Instant.ofEpochMilli(table.snapshots().get(1).timeMillis()).toString().replace("Z", "");
    check(Map.of("scan.timestamp", time), "[[1,a]]", "[[1,a,null]]");
  }

  @Test
  void a_snapshot_is_not_taken_for_the_tag_of_its_name() {
    var third = SPARK.read().format("obelus").option("scan.snapshot-id", "3").load(T);
    assertThat(third.select("v").collectAsList().toString()).isEqualTo("[[c]]");
  }

  @Test
  void positions_that_are_none_are_refused_by_name() {
    for (String place : List.of(T, table.directory().root())) {
      refused(place, Map.of("scan.tag-name", "1"), "has no tag '1'; it has 3, one");
      refused(place, Map.of("scan.snapshot-id", "9"), "has no snapshot 9; it has 1 to 3");
      refused(
          place,
          Map.of("scan.snapshot-id", "one"),
          "option 'scan.snapshot-id' should be a whole number but is 'one'");
      refused(
          place,
          Map.of("scan.snapshot-id", "1", "versionAsOf", "1"),
          "each say where in its history the table is read");
      refused(
          place,
          Map.of("scan.timestamp-millis", "5"),
          "has no snapshot at or before 1970-01-01T00:00:00.005Z");
    }
    assertThatThrownBy(() -> SPARK.read().option("scan.timestamp", "noon").table(T).collectAsList())
        .hasMessageContaining("option 'scan.timestamp' should be a time such as");
    assertThatThrownBy(() -> onTop(Map.of("scan.tag-name", "one")))
        .hasMessageContaining("option 'scan.tag-name' cannot be set for a write");
  }

  private static void onTop(Map<String, String> options) {
    SPARK.table(T).write().format("obelus").options(options).mode("append").save(T);
  }

  private static void refused(String place, Map<String, String> options, String message) {
    assertThatThrownBy(
            () -> SPARK.read().format("obelus").options(options).load(place).collectAsList())
        .as("%s of %s", options, place)
        .hasMessageContaining(message);
  }

  @Test
  void tags_of_others_are_read() throws IOException {
    Path directory = Sessions.fresh("golden");
    String path = GoldenTables.unpack("pk_tags_branch_expire", directory).toString();
    for (Map.Entry<String, Integer> tag : Map.of("t1", 63, "release-4", 62).entrySet()) {
      List<Row> rows =
          SPARK
              .read()
              .format("obelus")
              .option("scan.tag-name", tag.getKey())
              .load(path)
              .collectAsList();
      assertThat(rows).hasSize(tag.getValue());
    }
  }
}
