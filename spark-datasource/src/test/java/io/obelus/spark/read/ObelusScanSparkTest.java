package io.obelus.spark.read;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.ui.SQLAppStatusStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.collection.JavaConverters;

/** What Spark pushes down, seen in its plans and in the rows. */
class ObelusScanSparkTest {

  private static final SparkSession SPARK = Sessions.get();

  @BeforeAll
  static void makeTable() {
    sql("CREATE DATABASE obelus.scans");
    sql(
        "CREATE TABLE obelus.scans.t (id INT, pt STRING, v STRING, r STRUCT<x: INT, y: STRING>)"
            + " PARTITIONED BY (pt)"
            + " TBLPROPERTIES ('primary-key' = 'id,pt', 'bucket' = '1')");
    sql(
        "INSERT INTO obelus.scans.t SELECT id, IF(id < 50, 'a', 'b'), concat('v', id),"
            + " IF(id % 2 = 0, named_struct('x', id, 'y', 'y'), NULL)"
            + " FROM (SELECT CAST(id AS INT) id FROM range(100))");
    sql("INSERT INTO obelus.scans.t VALUES (0, 'a', 'new', NULL), (99, 'b', NULL, NULL)");
  }

  @AfterAll
  static void dropTable() {
    sql("DROP DATABASE obelus.scans CASCADE");
  }

  private static List<Row> sql(String text) {
    return SPARK.sql(text).collectAsList();
  }

  private static String plan(String text) {
    return SPARK.sql(text).queryExecution().executedPlan().toString();
  }

  private static long count(String from) {
    return sql("SELECT COUNT(*) FROM " + from).get(0).getLong(0);
  }

  @Test
  void count_is_answered_from_metadata() {
    assertThat(plan("SELECT COUNT(*), COUNT(1) FROM obelus.scans.t")).contains("LocalTableScan");
    assertThat(sql("SELECT COUNT(*), COUNT(1), COUNT(*) + 1 FROM obelus.scans.t").toString())
        .isEqualTo("[[100,100,101]]");
    assertThat(count("obelus.scans.t WHERE pt = 'a'")).isEqualTo(50);
    assertThat(count("(SELECT * FROM obelus.scans.t LIMIT 7)")).isEqualTo(7);
    assertThat(sql("SELECT COUNT(v) FROM obelus.scans.t").get(0).getLong(0)).isEqualTo(99);
  }

  @Test
  void conditions_drop_files_and_are_told() {
    String plan = plan("SELECT id FROM obelus.scans.t WHERE pt = 'a' AND v IN ('v7', 'v8')");
    assertThat(plan).contains("pt = a", "v IN (v7, v8)", "snapshot 2", "columns [id, v]");
    assertThat(sql("SELECT id FROM obelus.scans.t WHERE pt = 'a' AND v IN ('v7', 'v8')"))
        .hasSize(2);
    assertThat(sql("SELECT id FROM obelus.scans.t WHERE v = 'v0'")).isEmpty();
    assertThat(sql("SELECT id FROM obelus.scans.t WHERE v = 'new'").toString()).isEqualTo("[[0]]");
    assertThat(sql("SELECT id FROM obelus.scans.t WHERE v IS NULL").toString()).isEqualTo("[[99]]");
    assertThat(count("obelus.scans.t WHERE NOT v LIKE 'v%'")).isEqualTo(1);
    assertThat(count("obelus.scans.t WHERE v NOT IN ('new', NULL)")).isZero();
  }

  @Test
  void metadata_columns_say_where_a_row_is() {
    List<Row> rows =
        sql("SELECT _partition, _bucket, _file, _pos FROM obelus.scans.t WHERE id IN (1, 60)");
    assertThat(rows.stream().map(row -> row.getString(0)))
        .containsExactlyInAnyOrder("pt=a", "pt=b");
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.getInt(1)).isZero();
              assertThat(row.getString(2)).contains("/bucket-0/data-").endsWith(".parquet");
              assertThat(row.getLong(3)).isNotNegative();
            });
    assertThat(SPARK.table("obelus.scans.t").columns()).doesNotContain("_file");
  }

  @Test
  void nested_fields_are_read_alone() {
    assertThat(sql("SELECT SUM(r.x), COUNT(r.y) FROM obelus.scans.t").toString())
        .isEqualTo("[[2450,49]]");
    assertThat(count("obelus.scans.t WHERE r IS NULL")).isEqualTo(51);
    assertThat(count("obelus.scans.t WHERE r.x > 90")).isEqualTo(4);
  }

  @Test
  void batches_and_rows_hold_the_same() {
    String query = "SELECT * FROM obelus.scans.t ORDER BY id";
    List<Row> batches = sql(query);
    SPARK.conf().set("spark.obelus.read.vectorized", "false");
    try {
      assertThat(plan(query)).doesNotContain("ColumnarToRow");
      assertThat(sql(query)).isEqualTo(batches);
    } finally {
      SPARK.conf().unset("spark.obelus.read.vectorized");
    }
  }

  @Test
  void a_join_narrows_the_scan_at_run_time() {
    SPARK.range(3).selectExpr("CAST(id AS INT) AS k", "id % 2 AS f").createOrReplaceTempView("few");
    String query = "SELECT t.id FROM obelus.scans.t t JOIN few ON t.id = few.k WHERE few.f = 0";
    Dataset<Row> joined = SPARK.sql(query + " ORDER BY 1");
    assertThat(joined.collectAsList().toString()).isEqualTo("[[0], [2]]");
    assertThat(joined.queryExecution().executedPlan().toString())
        .contains("RuntimeFilters: [dynamicpruningexpression(id");
    SPARK.catalog().dropTempView("few");
  }

  @Test
  void the_past_is_read_by_number_and_by_time() {
    assertThat(sql("SELECT v FROM obelus.scans.t VERSION AS OF 1 WHERE id = 0").toString())
        .isEqualTo("[[v0]]");
    assertThat(
            SPARK
                .read()
                .format("obelus")
                .option("versionAsOf", 1)
                .load("obelus.scans.t")
                .where("id = 0")
                .select("v")
                .collectAsList()
                .toString())
        .isEqualTo("[[v0]]");
    assertThat(sql("SELECT v FROM obelus.scans.t TIMESTAMP AS OF now() WHERE id = 0").toString())
        .isEqualTo("[[new]]");
    assertThatThrownBy(() -> sql("SELECT * FROM obelus.scans.t TIMESTAMP AS OF '2001-01-01'"))
        .hasMessageContaining("has no snapshot at or before 2001-01-01T00:00:00Z; its first");
    assertThatThrownBy(() -> sql("SELECT * FROM obelus.scans.t VERSION AS OF 77"))
        .hasMessageContaining("77");
  }

  @Test
  void both_sides_of_a_join_read_one_snapshot_and_the_next_query_the_newest() {
    sql("CREATE TABLE obelus.scans.u (id INT) TBLPROPERTIES ('primary-key' = 'id')");
    Dataset<Row> held = SPARK.table("obelus.scans.u");
    assertThat(held.count()).isZero();
    sql("INSERT INTO obelus.scans.u VALUES (1)");
    assertThat(held.count()).isEqualTo(1);
    String plan = plan("SELECT * FROM obelus.scans.u a JOIN obelus.scans.u b ON a.id = b.id");
    assertThat(plan.split("snapshot 1,", -1)).hasSize(3);
  }

  @Test
  void what_spark_caches_is_forgotten_when_the_table_is_written() {
    sql("CREATE TABLE obelus.scans.c (id INT) TBLPROPERTIES ('primary-key' = 'id')");
    Dataset<Row> cached = SPARK.table("obelus.scans.c").cache();
    try {
      assertThat(cached.collectAsList()).isEmpty();
      sql("INSERT INTO obelus.scans.c VALUES (1)");
      assertThat(sql("SELECT * FROM obelus.scans.c").toString()).isEqualTo("[[1]]");
      assertThat(plan("SELECT * FROM obelus.scans.c")).contains("InMemoryTableScan");
    } finally {
      cached.unpersist();
    }
  }

  @Test
  void metrics_count_files_and_struck_out_rows() {
    Dataset<Row> query = SPARK.sql("SELECT v FROM obelus.scans.t");
    query.collect();
    var scan = query.queryExecution().executedPlan().collectLeaves().head();
    assertThat(scan.metrics().apply("obelusFilesRead").value()).isPositive();
    assertThat(scan.metrics().apply("obelusRowsStruckOut").value()).isEqualTo(2L);
  }

  @Test
  void explain_and_the_sql_tab_say_what_each_step_left() throws Exception {
    sql(
        "CREATE TABLE obelus.scans.s (id INT, pt STRING, n INT, u STRING) PARTITIONED BY (pt)"
            + " TBLPROPERTIES ('primary-key' = 'id,pt', 'bucket' = '2',"
            + " 'file-index.bloom-filter.columns' = 'u',"
            + " 'file-index.in-manifest-threshold' = '1 mb')");
    for (String rows : List.of("0, 100", "1000, 1100", "2000, 2100")) {
      sql(
          "INSERT INTO obelus.scans.s SELECT CAST(id AS INT), IF(id < 2000, 'a', 'b'), -id,"
              + " concat('u', id) FROM range(%s)".formatted(rows));
    }
    sql("DELETE FROM obelus.scans.s WHERE id IN (1, 2, 3) OR id >= 1000 AND id < 1100");
    String stored = "files %d of 6, rows %d of 300";
    assertThat(plan("SELECT * FROM obelus.scans.s"))
        .contains(stored.formatted(4, 200) + ", after deletion bitmaps files 4 rows 200, bitmaps");
    assertThat(plan("SELECT * FROM obelus.scans.s WHERE pt = 'a' AND id = 7"))
        .containsPattern(
            "files 1 of 6, rows \\d+ of 300, after partition files 4 rows 200,"
                + " after bucket files 2 rows \\d+, after deletion bitmaps files 1 rows \\d+,"
                + " bitmaps");
    assertThat(plan("SELECT * FROM obelus.scans.s WHERE id < -5"))
        .contains(stored.formatted(0, 0), "after key statistics files 0 rows 0, bitmaps 0");
    assertThat(plan("SELECT * FROM obelus.scans.s WHERE n > 5"))
        .contains(stored.formatted(0, 0), "after value statistics files 0 rows 0, bitmaps 0");
    assertThat(plan("SELECT * FROM obelus.scans.s WHERE n < -1999"))
        .contains(stored.formatted(2, 100), "after value statistics files 2 rows 100, bitmaps 0");
    Dataset<Row> query = SPARK.sql("SELECT * FROM obelus.scans.s WHERE u = 'u7x' AND pt <> 'b'");
    String told =
        stored.formatted(0, 0)
            + ", after partition files 4 rows 200, after deletion bitmaps"
            + " files 2 rows 100, after embedded indexes files 0 rows 0, bitmaps 0,"
            + " rows struck out 0";
    assertThat(query.queryExecution().explainString(ExplainMode.fromString("formatted")))
        .contains(told);
    assertThat(shown(query))
        .containsEntry("data files stored", "6")
        .containsEntry("rows stored", "300")
        .containsEntry("data files after partition", "4")
        .containsEntry("rows after value statistics", "100")
        .containsEntry("data files after embedded indexes", "0")
        .containsEntry("data files skipped", "6");
    assertThat(shown(SPARK.sql("SELECT * FROM obelus.scans.s WHERE id >= 0")))
        .containsEntry("data files read", "4")
        .containsEntry("rows struck out", "3");
  }

  /** What the SQL tab shows of a query once it has run: its metrics by their names. */
  private static Map<String, String> shown(Dataset<Row> query) throws Exception {
    query.collect();
    SPARK.sparkContext().listenerBus().waitUntilEmpty();
    SQLAppStatusStore store = SPARK.sharedState().statusStore();
    long execution = store.executionsList().last().executionId();
    var values = store.executionMetrics(execution);
    Map<String, String> shown = new HashMap<>();
    for (var metric : JavaConverters.seqAsJavaList(store.execution(execution).get().metrics())) {
      values.get(metric.accumulatorId()).foreach(value -> shown.put(metric.name(), value));
    }
    return shown;
  }

  @Test
  void metrics_say_which_kind_of_index_left_rows_out() {
    sql(
        "CREATE TABLE obelus.scans.i (id INT, c STRING, n INT, u STRING, r DOUBLE) TBLPROPERTIES ("
            + "'primary-key' = 'id', 'bucket' = '1', 'file-index.in-manifest-threshold' = '0 b', "
            + "'file-index.bitmap.columns' = 'c', 'file-index.bsi.columns' = 'n', "
            + "'file-index.bloom-filter.columns' = 'u', 'file-index.range-bitmap.columns' = 'r')");
    sql(
        "INSERT INTO obelus.scans.i SELECT id, concat('c', id % 20), (id * 7) % 1000,"
            + " concat('u', id), (id * 3) % 1000 / 8D FROM (SELECT CAST(id AS INT) id"
            + " FROM range(1000))");
    sql("DELETE FROM obelus.scans.i WHERE id < 100");
    assertThat(leftOut("c = 'c3'")).isEqualTo(Map.of("", 950L, "ByBitmap", 950L));
    assertThat(leftOut("n < 90")).isEqualTo(Map.of("", 910L, "ByBsi", 910L));
    assertThat(leftOut("c = 'c3' AND n < 500"))
        .isEqualTo(Map.of("", 975L, "ByBitmap", 950L, "ByBsi", 25L));
    assertThat(leftOut("r >= 120")).isEqualTo(Map.of("", 960L, "ByRangeBitmap", 960L));
    assertThat(leftOut("u = 'u77x'")).isEqualTo(Map.of("", 1000L, "ByBloomFilter", 1000L));
    assertThat(leftOut("c = 'c3' OR n = 5")).isEqualTo(Map.of("", 949L));
    assertThat(leftOut("n < 500")).isEmpty(); // too many to be worth it
    assertThat(metrics("n < 500").apply("obelusIndexAnswersNotUsed").value()).isEqualTo(1);
    assertThat(metrics("u = 'u77x'").apply("obelusDataBytesRead").value()).isZero();
    assertThat(metrics("u = 'u77x'").apply("obelusIndexBytesRead").value()).isPositive();
  }

  /** The metrics of rows left out that are not 0, by the end of their names. */
  private static Map<String, Long> leftOut(String condition) {
    var metrics = metrics(condition);
    return Stream.of("", "ByBitmap", "ByBsi", "ByRangeBitmap", "ByBloomFilter")
        .filter(end -> metrics.apply("obelusRowsLeftOut" + end).value() != 0)
        .collect(toMap(end -> end, end -> metrics.apply("obelusRowsLeftOut" + end).value()));
  }

  private static scala.collection.immutable.Map<String, SQLMetric> metrics(String condition) {
    Dataset<Row> query = SPARK.sql("SELECT * FROM obelus.scans.i WHERE " + condition);
    query.collect();
    return query.queryExecution().executedPlan().collectLeaves().head().metrics();
  }

  @Test
  void metrics_say_how_many_pages_and_bytes_were_read() {
    sql(
        "CREATE TABLE obelus.scans.p (id INT, v STRING) TBLPROPERTIES ('primary-key' = 'id',"
            + " 'bucket' = '1', 'parquet.page.row.count.limit' = '100')");
    sql("INSERT INTO obelus.scans.p SELECT CAST(id AS INT), concat('v', id) FROM range(10000)");
    Dataset<Row> all = SPARK.sql("SELECT * FROM obelus.scans.p");
    Dataset<Row> one = SPARK.sql("SELECT v FROM obelus.scans.p WHERE id = 777");
    assertThat(all.collectAsList()).hasSize(10000);
    assertThat(one.collectAsList().toString()).isEqualTo("[[v777]]");
    assertThat(metric(all, "PagesRead")).isEqualTo(200);
    assertThat(metric(all, "PagesSkipped")).isZero();
    assertThat(metric(one, "PagesRead")).isBetween(2L, 3L);
    assertThat(metric(one, "PagesSkipped")).isBetween(197L, 299L);
    assertThat(metric(one, "DataBytesRead")).isLessThan(metric(all, "DataBytesRead"));
    assertThat(metric(one, "IndexBytesRead")).isZero();
  }

  @Test
  void of_a_struct_only_the_pages_of_the_field_asked_for_are_read() {
    sql(
        "CREATE TABLE obelus.scans.n (id INT, r STRUCT<x: INT, y: STRING>) TBLPROPERTIES ("
            + "'primary-key' = 'id', 'bucket' = '1', 'parquet.page.row.count.limit' = '100')");
    sql(
        "INSERT INTO obelus.scans.n SELECT CAST(id AS INT), named_struct('x', CAST(id AS INT),"
            + " 'y', concat('y', id)) FROM range(10000)");
    Dataset<Row> one = SPARK.sql("SELECT r.x FROM obelus.scans.n WHERE id = 777");
    assertThat(one.collectAsList().toString()).isEqualTo("[[777]]");
    assertThat(metric(one, "PagesRead")).isBetween(2L, 3L);
    assertThat(metric(one, "PagesSkipped")).isBetween(197L, 299L);
  }

  private static long metric(Dataset<Row> query, String name) {
    var scan = query.queryExecution().executedPlan().collectLeaves().head();
    return scan.metrics().apply("obelus" + name).value();
  }
}
