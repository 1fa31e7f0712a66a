package io.obelus.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.testing.Seeds;
import io.obelus.testing.Sessions;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Conditions on what lies between two snapshots. */
class DifferencePushDownSparkTest {

  private final SparkSession spark = Sessions.get();

  @BeforeEach
  void makeDatabase() {
    sql("CREATE DATABASE obelus.differences");
    sql("USE obelus.differences");
  }

  @AfterEach
  void dropDatabase() {
    sql("USE spark_catalog.default");
    sql("DROP DATABASE obelus.differences CASCADE");
  }

  private void sql(String text) {
    spark.sql(text).collectAsList();
  }

  private Dataset<Row> between(String name, int from, int to) {
    return spark.read().option("incremental-between", from + "," + to).table(name);
  }

  /** Data files that are compared. */
  private static int files(Dataset<Row> query) {
    DataSourceV2ScanRelation relation =
        (DataSourceV2ScanRelation) query.queryExecution().optimizedPlan().collectLeaves().apply(0);
    int files = 0;
    for (var partition : ((DifferenceScan) relation.scan()).planInputPartitions()) {
      var difference = ((DifferencePartition) partition).difference();
      files += difference.before().size() + difference.after().size();
    }
    return files;
  }

  private static List<String> rows(Dataset<Row> answer) {
    return answer.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @Test
  void conditions_on_partitions_and_keys_leave_out_files() {
    sql(
        "CREATE TABLE t (id INT NOT NULL, p STRING NOT NULL, v INT) PARTITIONED BY (p)"
            + " TBLPROPERTIES ('primary-key' = 'p,id', 'bucket' = '1', 'write-only' = 'true')");
    sql("INSERT INTO t SELECT id, concat('p', id % 2), 0 FROM range(100)");
    sql("INSERT INTO t SELECT id, concat('p', id % 2), 1 FROM range(10, 20)");
    sql("INSERT INTO t SELECT id, concat('p', id % 2), 2 FROM range(200, 210)");
    Dataset<Row> all = between("`t$changes`", 1, 3);
    assertThat(files(all)).isEqualTo(8); // the first of each partition is on both sides
    assertThat(files(all.where("p = 'p1'"))).isEqualTo(4);
    assertThat(files(all.where("id >= 150"))).isEqualTo(2);
    assertThat(files(all.where("id >= 150 AND p = 'p1' AND v = 0"))).isEqualTo(1);
    assertThat(files(all.where("v = 0"))).isEqualTo(8);
    assertThat(rows(all.where("id = 11"))).containsExactly("[+U,11,p1,1]", "[-U,11,p1,0]");
    assertThat(rows(all.where("id = 11 AND v = 0"))).containsExactly("[-U,11,p1,0]");
    assertThat(rows(all.where("id > 205 AND _row_kind = '+I'"))).hasSize(4);
    assertThat(files(all.where("id > 1000"))).isZero();
    assertThat(rows(all.where("id > 1000"))).isEmpty();
    assertThat(all.where("id >= 150").queryExecution().toString()).contains("condition id >= 150");
  }

  @Test
  void rows_without_a_key_are_left_out_by_any_column() {
    sql("CREATE TABLE t (a INT, b STRING) TBLPROPERTIES ('deletion-vectors.enabled' = 'true')");
    sql("INSERT INTO t SELECT id, 'x' FROM range(10)");
    sql("INSERT INTO t SELECT id, 'y' FROM range(100, 110)");
    sql("DELETE FROM t WHERE a = 5");
    Dataset<Row> all = between("`t$changes`", 1, 3);
    assertThat(rows(all.where("a < 50"))).containsExactly("[-D,5,x]");
    assertThat(files(all.where("a < 50"))).isLessThan(files(all));
    assertThat(files(all.where("b = 'y'"))).isLessThan(files(all));
    assertThat(rows(all.where("b = 'y'"))).hasSize(10);
  }

  @Test
  void conditions_answer_as_they_do_after_the_difference() {
    Seeds.each(4, this::randomHistory);
  }

  private void randomHistory(Random random) {
    sql("DROP TABLE IF EXISTS t");
    boolean keyed = random.nextInt(4) > 0;
    boolean partitioned = random.nextBoolean();
    String options =
        keyed
            ? "'primary-key' = '%s', 'bucket' = '%d', 'write-only' = '%s', 'deletion-vectors.enabled' = '%s'"
                .formatted(
                    partitioned ? "id,p" : "id",
                    1 + random.nextInt(3),
                    random.nextBoolean(),
                    random.nextBoolean())
            : "'deletion-vectors.enabled' = 'true', 'write-only' = 'true'";
    sql(
        "CREATE TABLE t (id INT NOT NULL, p INT NOT NULL, v STRING) %s TBLPROPERTIES (%s)"
            .formatted(partitioned ? "PARTITIONED BY (p)" : "", options));
    int snapshots = 0;
    while (snapshots < 5) {
      if (snapshots > 0 && random.nextInt(4) == 0) {
        sql("DELETE FROM t WHERE id % 5 = " + random.nextInt(5));
        snapshots = spark.table("`t$snapshots`").collectAsList().size();
      } else {
        int from = random.nextInt(60);
        sql(
            "INSERT INTO t SELECT id, id %% 3, '%s' FROM range(%d, %d)"
                .formatted((char) ('a' + random.nextInt(3)), from, from + 1 + random.nextInt(30)));
        snapshots++;
      }
    }
    snapshots = spark.table("`t$snapshots`").collectAsList().size();
    List<String> conditions =
        List.of(
            "id = " + random.nextInt(60),
            "id > " + random.nextInt(60),
            "p = 1",
            "p IN (0, 2) AND id < 30",
            "v = 'a'",
            "v >= 'b' AND id BETWEEN 10 AND 40",
            "id IN (3, 17, 44, 59) OR p = 2",
            "NOT (id < 50) OR v = 'c'",
            "v IS NULL OR id = 7");
    for (int i = 0; i < 4; i++) {
      int from = random.nextInt(snapshots);
      int to = from + 1 + random.nextInt(snapshots - from);
      String name = random.nextBoolean() ? "t" : "`t$changes`";
      Dataset<Row> all = between(name, from, to);
      Dataset<Row> copy = spark.createDataFrame(all.collectAsList(), all.schema());
      String condition = conditions.get(random.nextInt(conditions.size()));
      assertThat(rows(all.where(condition)))
          .as("%s of %s from %d to %d", condition, name, from, to)
          .isEqualTo(rows(copy.where(condition)));
    }
  }
}
