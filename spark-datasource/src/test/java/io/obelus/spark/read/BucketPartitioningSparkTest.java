package io.obelus.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.spark.expression.BucketNumber;
import io.obelus.testing.Seeds;
import io.obelus.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.collection.JavaConverters;

/** Joins and groupings by the bucket key, where Spark asks for storage-partitioned joins. */
class BucketPartitioningSparkTest {

  private static final String ASKED = "spark.sql.sources.v2.bucketing.enabled";
  private static final String PUSHED = "spark.sql.sources.v2.bucketing.pushPartValues.enabled";
  private static final String PARTIAL =
      "spark.sql.sources.v2.bucketing.partiallyClusteredDistribution.enabled";
  private static final String BROADCAST = "spark.sql.autoBroadcastJoinThreshold";
  private static final String SPLIT = "spark.obelus.source.split.target-size";
  private static final String OPEN = "spark.obelus.source.split.open-file-cost";

  private final SparkSession spark = Sessions.get();

  /** How the last query was run. */
  private String plan;

  @BeforeEach
  void ask() {
    sql("CREATE DATABASE obelus.spj");
    sql("USE obelus.spj");
    spark.conf().set(ASKED, "true");
    spark.conf().set(BROADCAST, "-1");
  }

  @AfterEach
  void forget() {
    for (String setting : List.of(ASKED, PUSHED, PARTIAL, BROADCAST, SPLIT, OPEN)) {
      spark.conf().unset(setting);
    }
    for (String view : List.of("copy_a", "copy_b", "few", "none")) {
      spark.catalog().dropTempView(view);
    }
    sql("USE spark_catalog.default");
    sql("DROP DATABASE obelus.spj CASCADE");
  }

  private void sql(String text) {
    spark.sql(text).collectAsList();
  }

  private void table(String name, String columns, String options) {
    sql("CREATE TABLE %s (%s) TBLPROPERTIES (%s)".formatted(name, columns, options));
  }

  private static List<String> rows(Dataset<Row> answer) {
    return answer.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  /** Compares with the answer over copies, and returns how often rows were exchanged. */
  private int exchanges(String query) {
    Dataset<Row> answer = spark.sql(query);
    List<String> rows = rows(answer);
    String copied = query;
    for (String name : List.of("a", "b")) {
      copied = copied.replaceAll("\\b(FROM|JOIN) " + name + "\\b", "$1 copy_" + name + " " + name);
    }
    assertThat(rows).as(query).isEqualTo(rows(spark.sql(copied)));
    String both = answer.queryExecution().executedPlan().toString();
    plan = both.split("== Initial Plan")[0];
    return plan.split("Exchange hashpartitioning", -1).length - 1;
  }

  private void copy(String name) {
    Dataset<Row> table = spark.table(name);
    spark
        .createDataFrame(table.collectAsList(), table.schema())
        .createOrReplaceTempView("copy_" + name);
  }

  private void copyBoth() {
    copy("a");
    copy("b");
  }

  @Test
  void tables_of_equal_buckets_are_joined_without_an_exchange() {
    table("a", "id BIGINT NOT NULL, v INT", "'primary-key' = 'id', 'bucket' = '4'");
    table("b", "id BIGINT NOT NULL, w STRING", "'primary-key' = 'id', 'bucket' = '4'");
    sql("INSERT INTO a SELECT id, id % 7 FROM range(500)");
    sql("INSERT INTO b SELECT id * 3, concat('w', id) FROM range(300)");
    copyBoth();
    String join = "SELECT a.id, v, w FROM a JOIN b ON a.id = b.id";
    assertThat(exchanges(join)).isZero();
    assertThat(exchanges("SELECT id, count(*), sum(v) FROM a GROUP BY id")).isZero();
    assertThat(exchanges("SELECT a.id, v, w FROM a FULL OUTER JOIN b ON a.id = b.id")).isZero();
    assertThat(exchanges("SELECT v, count(*) FROM a GROUP BY v")).isEqualTo(1);

    sql("DELETE FROM a WHERE v IN (1, 2)");
    sql("UPDATE b SET w = 'changed' WHERE id % 2 = 0");
    sql(
        "MERGE INTO a USING b ON a.id = b.id WHEN MATCHED AND b.w = 'changed' THEN UPDATE SET v = -1 WHEN NOT MATCHED THEN INSERT (id, v) VALUES (b.id, 9)");
    copyBoth();
    assertThat(exchanges(join)).isZero();
    spark.conf().set(SPLIT, "1kb");
    spark.conf().set(OPEN, "1b");
    assertThat(exchanges(join)).isZero();
    spark.conf().set(ASKED, "false");
    assertThat(exchanges(join)).isEqualTo(2);
  }

  @Test
  void buckets_that_a_condition_removes_are_empty() {
    table("a", "id INT NOT NULL, v INT", "'primary-key' = 'id', 'bucket' = '4'");
    table("b", "id INT NOT NULL, w INT", "'primary-key' = 'id', 'bucket' = '4'");
    sql("INSERT INTO a SELECT id, id FROM range(100)");
    sql("INSERT INTO b SELECT id, -id FROM range(50, 150)");
    copyBoth();
    String some = " WHERE b.id IN (60, 61, 62) OR b.id > 1000";
    for (String kind : List.of("JOIN", "LEFT JOIN", "FULL JOIN", "LEFT ANTI JOIN")) {
      for (String pushed : List.of("false", "true")) {
        for (String partial : List.of("false", "true")) {
          spark.conf().set(PUSHED, pushed);
          spark.conf().set(PARTIAL, partial);
          int exchanged =
              exchanges(
                  "SELECT * FROM a " + kind + " (SELECT * FROM b" + some + ") s ON a.id = s.id");
          if (pushed.equals("true") && !kind.equals("JOIN")) {
            assertThat(exchanged).as(kind).isZero();
          }
        }
      }
    }
    exchanges("SELECT * FROM a JOIN b ON a.id = b.id WHERE a.v < 0");
  }

  @Test
  void other_buckets_and_keys_are_not_taken_for_the_same() {
    table("a", "id INT NOT NULL, v INT", "'primary-key' = 'id', 'bucket' = '4'");
    table("b", "id INT NOT NULL, w INT", "'primary-key' = 'id', 'bucket' = '3'");
    sql("INSERT INTO a SELECT id, id % 50 FROM range(100)");
    sql("INSERT INTO b SELECT id, id FROM range(100)");
    copyBoth();
    assertThat(exchanges("SELECT * FROM a JOIN b ON a.id = b.id")).isPositive();
    assertThat(exchanges("SELECT * FROM a JOIN b ON a.v = b.id")).isPositive();

    sql("DROP TABLE b");
    table("b", "id BIGINT NOT NULL, w INT", "'primary-key' = 'id', 'bucket' = '4'");
    sql("INSERT INTO b SELECT id, id FROM range(100)");
    copyBoth();
    assertThat(exchanges("SELECT * FROM a JOIN b ON a.id = b.id")).isPositive();

    sql("DROP TABLE b");
    table(
        "b",
        "id INT NOT NULL, w INT",
        "'primary-key' = 'id', 'bucket' = '4', 'bucket-function.type' = 'mod'");
    sql("INSERT INTO b SELECT id, id FROM range(100)");
    copyBoth();
    assertThat(exchanges("SELECT * FROM a JOIN b ON a.id = b.id")).isPositive();

    sql("DROP TABLE b");
    table("b", "id INT NOT NULL, w INT NOT NULL", "'primary-key' = 'id,w', 'bucket' = '4'");
    sql("INSERT INTO b SELECT id, id FROM range(100)");
    copyBoth();
    assertThat(exchanges("SELECT * FROM a JOIN b ON a.id = b.id AND a.v = b.w")).isPositive();
  }

  @Test
  void floating_point_keys_are_not_apart_by_bucket() {
    table("a", "id DOUBLE NOT NULL, v INT", "'primary-key' = 'id', 'bucket' = '4'");
    table("b", "id DOUBLE NOT NULL, w INT", "'primary-key' = 'id', 'bucket' = '4'");
    sql("INSERT INTO a SELECT id, id FROM range(10)");
    sql("INSERT INTO b SELECT id, id FROM range(10)");
    copyBoth();
    assertThat(exchanges("SELECT * FROM a JOIN b ON a.id = b.id")).isPositive();
  }

  @Test
  void partitioned_tables_are_apart_by_partition_and_bucket() {
    String columns = "id BIGINT%1$s, p STRING%1$s, v INT) PARTITIONED BY (p";
    table("a", columns.formatted(" NOT NULL"), "'primary-key' = 'p,id', 'bucket' = '2'");
    table("b", columns.formatted(""), "'bucket' = '2', 'bucket-key' = 'id'");
    sql("INSERT INTO a SELECT id, concat('p', id % 3), id FROM range(200)");
    sql("INSERT INTO b SELECT id, concat('p', id % 4), id FROM range(100)");
    sql("INSERT INTO b VALUES (5, NULL, 1), (NULL, NULL, 2), (NULL, 'p1', 3)");
    copyBoth();
    assertThat(exchanges("SELECT p, id, count(*) FROM b GROUP BY p, id")).isZero();
    assertThat(exchanges("SELECT id, count(*) FROM b GROUP BY id")).isEqualTo(1);
    spark.conf().set(PUSHED, "true");
    assertThat(exchanges("SELECT * FROM a JOIN b ON a.id = b.id AND a.p = b.p")).isZero();
    assertThat(exchanges("SELECT * FROM a FULL JOIN b ON a.id = b.id AND a.p = b.p")).isZero();
    assertThat(exchanges("SELECT * FROM a JOIN b ON a.id = b.id")).isPositive();
  }

  @Test
  void a_runtime_filter_keeps_the_buckets_apart() {
    table("a", "id BIGINT NOT NULL, v INT", "'primary-key' = 'id', 'bucket' = '4'");
    table("b", "id BIGINT NOT NULL, w INT", "'primary-key' = 'id', 'bucket' = '4'");
    sql("INSERT INTO a SELECT id, id FROM range(1000)");
    sql("INSERT INTO b SELECT id, id FROM range(1000)");
    copyBoth();
    spark.conf().set(BROADCAST, "10mb");
    spark.range(3).selectExpr("id * 5 AS id", "id AS x").createOrReplaceTempView("few");
    spark.range(3).selectExpr("id + 5000 AS id", "id AS x").createOrReplaceTempView("none");
    for (String keys : List.of("few", "none")) {
      for (String pushed : List.of("false", "true")) {
        spark.conf().set(PUSHED, pushed);
        exchanges(
            "SELECT /*+ MERGE(b) */ * FROM a JOIN b ON a.id = b.id JOIN "
                + keys
                + " k ON k.id = a.id WHERE k.x >= 0");
        assertThat(plan).contains("RuntimeFilters: [dynamicpruning");
        exchanges(
            "SELECT a.id, count(*) FROM a JOIN "
                + keys
                + " k ON k.id = a.id WHERE k.x < 2 GROUP BY a.id");
        assertThat(plan).contains("RuntimeFilters: [dynamicpruning", "by bucket");
      }
    }
  }

  @Test
  void files_of_another_number_of_buckets_are_not_taken_for_apart() {
    table(
        "a",
        "id BIGINT NOT NULL, p INT NOT NULL, v INT) PARTITIONED BY (p",
        "'primary-key' = 'p,id', 'bucket' = '2'");
    sql("INSERT INTO a SELECT id, id % 2, id FROM range(100)");
    sql("ALTER TABLE a SET TBLPROPERTIES ('bucket' = '3')");
    copy("a");
    assertThat(exchanges("SELECT p, id, count(*) FROM a GROUP BY p, id")).isEqualTo(1);
    sql("INSERT OVERWRITE a PARTITION (p = 0) SELECT id, id FROM range(0, 100, 2)");
    copy("a");
    assertThat(exchanges("SELECT p, id, count(*) FROM a GROUP BY p, id")).isEqualTo(1);
    sql("INSERT OVERWRITE a PARTITION (p = 1) SELECT id, id FROM range(1, 100, 2)");
    copy("a");
    assertThat(exchanges("SELECT p, id, count(*) FROM a GROUP BY p, id")).isZero();
  }

  @Test
  void the_function_gives_the_bucket_in_which_a_row_is() {
    for (String type : List.of("BIGINT", "INT", "STRING", "DECIMAL(20,2)", "DATE", "TIMESTAMP")) {
      String value =
          type.equals("DATE")
              ? "date_add(DATE '2024-01-01', CAST(id AS INT))"
              : type.equals("TIMESTAMP") ? "timestamp_seconds(id)" : "id * 7919";
      table("a", "id " + type + " NOT NULL, v INT", "'primary-key' = 'id', 'bucket' = '5'");
      sql("INSERT INTO a SELECT CAST(" + value + " AS " + type + "), 1 FROM range(40)");
      StructType schema = spark.sql("SELECT id FROM a").schema();
      ObelusScan scan =
          (ObelusScan)
              ((org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation)
                      JavaConverters.seqAsJavaList(
                              spark
                                  .sql("SELECT id FROM a")
                                  .queryExecution()
                                  .optimizedPlan()
                                  .collectLeaves())
                          .get(0))
                  .scan();
      var keys =
          ((org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning)
                  scan.outputPartitioning())
              .keys();
      String name = ((org.apache.spark.sql.connector.expressions.Transform) keys[0]).name();
      ScalarFunction<?> function =
          (ScalarFunction<?>) BucketNumber.named(name).orElseThrow().bind(schema);
      var toInternal =
          org.apache.spark.sql.catalyst.CatalystTypeConverters.createToCatalystConverter(
              schema.apply(0).dataType());
      for (Row row : spark.sql("SELECT id, _bucket FROM a").collectAsList()) {
        Object key = toInternal.apply(row.get(0));
        assertThat(function.produceResult(new GenericInternalRow(new Object[] {key})))
            .as(type)
            .isEqualTo(row.get(1));
      }
      sql("DROP TABLE a");
    }
  }

  @Test
  void random_joins_answer_as_over_plain_copies() {
    Seeds.each(3, this::randomJoins);
  }

  private void randomJoins(Random random) {
    List<String> types = List.of("INT", "BIGINT", "STRING", "DECIMAL(10,0)");
    String type = types.get(random.nextInt(types.size()));
    boolean partitioned = random.nextBoolean();
    for (String name : List.of("a", "b")) {
      sql("DROP TABLE IF EXISTS " + name);
      String key = partitioned ? "p,id" : "id";
      table(
          name,
          "id "
              + type
              + " NOT NULL, p INT NOT NULL, v INT"
              + (partitioned ? ") PARTITIONED BY (p" : ""),
          "'primary-key' = '%s', 'bucket' = '%d'".formatted(key, random.nextInt(4) == 0 ? 3 : 4));
      for (int i = 0; i < 3; i++) {
        int from = random.nextInt(50);
        sql(
            "INSERT INTO %s SELECT CAST(id AS %s), id %% 2, %d FROM range(%d, %d)"
                .formatted(name, type, i, from, from + 1 + random.nextInt(60)));
      }
      sql("DELETE FROM " + name + " WHERE v = 1 AND CAST(id AS INT) % 3 = 0");
    }
    copyBoth();
    Map<String, List<String>> settings =
        Map.of(
            PUSHED,
            List.of("true", "false"),
            PARTIAL,
            List.of("true", "false"),
            SPLIT,
            List.of("1kb", "1mb"));
    String on = partitioned ? "a.id = b.id AND a.p = b.p" : "a.id = b.id";
    List<String> kinds =
        List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN");
    List<String> conditions =
        List.of(
            "",
            " AND b.id = CAST(60 AS " + type + ")",
            " AND a.id IN (CAST(55 AS " + type + "), CAST(57 AS " + type + "))",
            " AND a.v = 2",
            " AND b.v < 0");
    for (int i = 0; i < 4; i++) {
      settings.forEach((name, values) -> spark.conf().set(name, values.get(random.nextInt(2))));
      spark.conf().set(OPEN, "1b");
      List<String> query = new ArrayList<>();
      query.add("SELECT * FROM a");
      query.add(kinds.get(random.nextInt(kinds.size())));
      query.add("b ON " + on + conditions.get(random.nextInt(conditions.size())));
      exchanges(String.join(" ", query));
    }
    exchanges("SELECT p, id, count(*), max(v) FROM a GROUP BY p, id");
  }
}
