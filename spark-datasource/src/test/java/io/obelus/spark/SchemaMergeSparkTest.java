package io.obelus.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.Seeds;
import io.obelus.testing.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes whose rows have other columns than the table: option {@code write.merge-schema}. */
class SchemaMergeSparkTest {

  private static final String KEYED = " TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '2')";

  private final SparkSession spark = Sessions.get();

  @BeforeEach
  void makeDatabase() {
    sql("CREATE DATABASE obelus.merges");
    sql("USE obelus.merges");
  }

  @AfterEach
  void dropDatabase() {
    sql("USE spark_catalog.default");
    sql("DROP DATABASE IF EXISTS obelus.merges CASCADE");
  }

  private List<Row> sql(String text) {
    return spark.sql(text).collectAsList();
  }

  private String rows() {
    return sql("SELECT * FROM t ORDER BY 1").toString();
  }

  private String columns() {
    return spark.table("t").schema().toDDL();
  }

  private DataFrameWriter<Row> merging(String query) {
    return spark
        .sql(query)
        .write()
        .format("obelus")
        .option("write.merge-schema", "true")
        .mode("append");
  }

  private void merge(String query) {
    merging(query).save("obelus.merges.t");
  }

  private void cast(String query) {
    merging(query).option("write.merge-schema.explicit-cast", "true").save("obelus.merges.t");
  }

  private static void refused(Runnable statement, String... words) {
    assertThatThrownBy(statement::run)
        .satisfies(error -> assertThat(error.getMessage()).contains(words));
  }

  private static List<List<Object>> asPaimonReads() throws IOException {
    Path table = Sessions.warehouse().resolve("merges.db").resolve("t");
    return new PaimonTables(Sessions.fresh("paimon")).open(table).rows();
  }

  @Test
  void new_columns_come_at_the_end_and_missing_ones_are_null_or_their_default() throws IOException {
    sql("CREATE TABLE t (id BIGINT NOT NULL, a STRING, d INT DEFAULT 7)" + KEYED);
    sql("INSERT INTO t VALUES (1, 'a', 1)");
    merge("SELECT 2L AS id, 1.5D AS x, 'new' AS y");
    assertThat(columns()).matches("id BIGINT NOT NULL,a STRING,d INT.*,x DOUBLE,y STRING");
    assertThat(rows()).isEqualTo("[[1,a,1,null,null], [2,null,7,1.5,new]]");
    merge("SELECT 'b' AS A, CAST(id AS BIGINT) AS ID, 9 AS z FROM range(1, 4)");
    assertThat(rows()).isEqualTo("[[1,b,7,null,null,9], [2,b,7,null,null,9], [3,b,7,null,null,9]]");
    assertThat(asPaimonReads())
        .containsExactlyInAnyOrder(
            Arrays.asList(1L, "b", 7, null, null, 9),
            Arrays.asList(2L, "b", 7, null, null, 9),
            Arrays.asList(3L, "b", 7, null, null, 9));
    sql("INSERT INTO t VALUES (4, 'c', 1, 1, 'y', 2)");
    assertThat(sql("SELECT count(*) FROM t WHERE z = 9").toString()).isEqualTo("[[3]]");
  }

  @Test
  void columns_become_wider_but_never_narrower() throws IOException {
    sql(
        "CREATE TABLE t (id INT NOT NULL, a INT, b FLOAT, c DECIMAL(6, 2), d BIGINT, e DECIMAL(8, 4))"
            + KEYED);
    sql("INSERT INTO t VALUES (1, 1, 1.5, 1.25, 1, 1.5)");
    merge(
        "SELECT 2 AS id, 5000000000L AS a, 0.1D AS b, 12345678.25BD AS c, 3 AS d, 123456.25BD AS e");
    assertThat(columns())
        .contains("a BIGINT", "b DOUBLE", "c DECIMAL(10,2)", "d BIGINT", "e DECIMAL(10,4)");
    String both = "[[1,1,1.5,1.25,1,1.5000], [2,5000000000,0.1,12345678.25,3,123456.2500]]";
    assertThat(rows()).isEqualTo(both);
    merge("SELECT 1 AS id, 1 AS a, 1.5F AS b, 1.25BD AS c, 1 AS d, 1.5BD AS e");
    assertThat(columns()).contains("a BIGINT", "b DOUBLE", "c DECIMAL(10,2)");
    assertThat(rows()).isEqualTo(both);
    assertThat(asPaimonReads()).hasSize(2);
  }

  @Test
  void fields_of_structs_are_added_and_filled() {
    sql(
        "CREATE TABLE t (id BIGINT NOT NULL, s STRUCT<x: INT, u: STRUCT<y: STRING>>,"
            + " l ARRAY<STRUCT<x: INT>>, m MAP<STRING, STRUCT<x: INT>>)"
            + KEYED);
    sql(
        "INSERT INTO t VALUES (1, named_struct('x', 1, 'u', named_struct('y', 'a')),"
            + " array(named_struct('x', 1)), map('k', named_struct('x', 1)))");
    merge(
        "SELECT 2L AS id, named_struct('u', named_struct('z', 5), 'w', 'new') AS s,"
            + " array(named_struct('v', 3, 'x', 2)) AS l, map('k', named_struct('x', 2, 'v', 4)) AS m");
    assertThat(columns())
        .contains(
            "s STRUCT<x: INT, u: STRUCT<y: STRING, z: INT>, w: STRING>",
            "l ARRAY<STRUCT<x: INT, v: INT>>",
            "m MAP<STRING, STRUCT<x: INT, v: INT>>");
    assertThat(rows())
        .isEqualTo(
            "[[1,[1,[a,null],null],WrappedArray([1,null]),Map(k -> [1,null])],"
                + " [2,[null,[null,5],new],WrappedArray([2,3]),Map(k -> [2,4])]]");
    merge("SELECT 1L AS id, CAST(NULL AS STRUCT<w: STRING>) AS s");
    assertThat(sql("SELECT s, l FROM t WHERE id = 1").toString()).isEqualTo("[[null,null]]");
  }

  @Test
  void what_does_not_fit_names_column_types_and_option() {
    sql(
        "CREATE TABLE t (id BIGINT NOT NULL, a INT, s STRUCT<x: INT>, v VARCHAR(3), n INT NOT NULL)"
            + KEYED);
    sql("INSERT INTO t VALUES (1, 1, named_struct('x', 1), 'abc', 1)");
    refused(
        () -> merge("SELECT 2L AS id, 'text' AS a, 1 AS n"),
        "column 'a' is INT in the table but STRING",
        "option 'write.merge-schema.explicit-cast'");
    refused(
        () -> merge("SELECT 2L AS id, named_struct('x', 5L) AS s, 1 AS n"),
        "column 's.x' is INT in the table but BIGINT",
        "inside of other types");
    refused(
        () -> merge("SELECT 2.5D AS id, 1 AS n"),
        "column 'id' is BIGINT in the table but DOUBLE",
        "part of the primary key");
    refused(() -> merge("SELECT 2L AS id, array(1) AS a, 1 AS n"), "column 'a'", "no cast");
    refused(() -> merge("SELECT 2L AS id, 'long' AS v, 1 AS n"), "Exceeds char/varchar type");
    refused(() -> merge("SELECT 2L AS id"), "n");
    refused(() -> merge("SELECT 2L AS id, CAST(NULL AS INT) AS n"), "");
    refused(() -> merge("SELECT 5 AS a, 1 AS n"), "column 'id' says where a row belongs");
    refused(() -> merge("SELECT 2L AS id, 1 AS n, 1 AS _pos"), "column '_pos'");
    refused(
        () ->
            merging("SELECT 1L AS id").option("write.merge-schema", "yes").save("obelus.merges.t"),
        "option 'write.merge-schema' should be true or false");
    refused(
        () ->
            merging("SELECT 1L AS id")
                .option("write.merge-schema", "false")
                .option("write.merge-schema.explicit-cast", "true")
                .save("obelus.merges.t"),
        "does nothing without option 'write.merge-schema'");
    assertThat(columns()).doesNotContain("_pos", "DOUBLE", "s STRUCT<x: BIGINT>");
    assertThat(rows()).isEqualTo("[[1,1,[1],abc,1]]");
  }

  @Test
  void explicit_casts_let_values_fit_one_by_one() {
    sql("CREATE TABLE t (id INT NOT NULL, a INT, s STRUCT<x: INT>, d DATE)" + KEYED);
    cast("SELECT 1L AS id, '12' AS a, named_struct('x', 5L) AS s, '2024-01-31' AS d");
    assertThat(columns()).startsWith("id INT NOT NULL,a INT,s STRUCT<x: INT>,d DATE");
    assertThat(rows()).isEqualTo("[[1,12,[5],2024-01-31]]");
    assertThatThrownBy(() -> cast("SELECT 2L AS id, 'twelve' AS a"))
        .hasStackTraceContaining("twelve");
    assertThatThrownBy(() -> cast("SELECT 2L AS id, named_struct('x', 5000000000L) AS s"))
        .hasStackTraceContaining("5000000000");
    assertThatThrownBy(() -> cast("SELECT 5000000000L AS id"))
        .hasStackTraceContaining("5000000000");
    assertThat(rows()).isEqualTo("[[1,12,[5],2024-01-31]]");
  }

  @Test
  void rows_of_narrower_keys_find_the_rows_they_replace() {
    sql(
        "CREATE TABLE t (id BIGINT NOT NULL, p STRING NOT NULL, q BIGINT, v INT) PARTITIONED BY (p)"
            + " TBLPROPERTIES ('primary-key' = 'p,id', 'bucket' = '3', 'sequence.field' = 'q')");
    sql("INSERT INTO t SELECT id, concat('p', id % 2), 5, 0 FROM range(100)");
    merge("SELECT CAST(id AS INT) AS id, concat('p', id % 2) AS p, 6 AS q, 1 AS v FROM range(50)");
    merge("SELECT id, concat('p', id % 2) AS p, 4L AS q, 2 AS v, 'w' AS w FROM range(120)");
    assertThat(
            sql("SELECT v, count(*), count(DISTINCT id) FROM t GROUP BY v ORDER BY v").toString())
        .isEqualTo("[[0,50,50], [1,50,50], [2,20,20]]");
  }

  @Test
  void keys_that_get_or_lose_blanks_find_the_rows_they_replace() {
    for (String type : List.of("CHAR(4)", "VARCHAR(4)")) {
      sql(
          "CREATE TABLE t (id %s NOT NULL, v INT) TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '4')"
              .formatted(type));
      String key = type.startsWith("C") ? "concat('k', id)" : "rpad(concat('k', id), 4, ' ')";
      sql("INSERT INTO t SELECT " + key + ", 1 FROM range(50)");
      merge("SELECT rpad(concat('k', id), 6, ' ') AS id, 2 AS v FROM range(60)");
      merge("SELECT " + key + " AS id, 3 AS v, 0 AS w FROM range(10)");
      assertThat(
              sql("SELECT v, count(*), count(DISTINCT id) FROM t GROUP BY v ORDER BY v").toString())
          .as(type)
          .isEqualTo("[[2,50,50], [3,10,10]]");
      sql("DROP TABLE t");
    }
  }

  @Test
  void paths_overwrites_and_tables_without_keys_merge_too() throws IOException {
    sql("CREATE TABLE t (p STRING, a INT) PARTITIONED BY (p)");
    sql("INSERT INTO t VALUES ('x', 1), ('y', 2)");
    String path = Sessions.warehouse().resolve("merges.db/t").toString();
    merging("SELECT 3L AS a, 'z' AS p, id AS b FROM range(2)").save(path);
    assertThat(sql("SELECT p, a, b FROM t ORDER BY p, b").toString())
        .isEqualTo("[[x,1,null], [y,2,null], [z,3,0], [z,3,1]]");
    merging("SELECT 'only' AS p, 1 AS c").mode("overwrite").save(path);
    assertThat(rows()).isEqualTo("[[only,null,null,1]]");
    assertThat(asPaimonReads()).containsExactly(Arrays.asList("only", null, null, 1));
    refused(() -> merging("SELECT 1 AS a").save(path), "column 'p' says where a row belongs");
    refused(() -> merging("SELECT 1 AS p").save(path), "partition columns [p]", "cast them");
  }

  @Test
  void where_the_option_comes_too_late_it_is_refused() throws NoSuchTableException {
    sql("CREATE TABLE t (id BIGINT NOT NULL, a INT)" + KEYED);
    Dataset<Row> wider = spark.sql("SELECT id, id + 5000000000 AS a FROM range(1)");
    assertThatThrownBy(() -> wider.writeTo("t").option("write.merge-schema", "true").append())
        .hasStackTraceContaining("option 'write.merge-schema' comes too late for")
        .hasStackTraceContaining("df.write.format(\"obelus\")");
    assertThatThrownBy(() -> merging("SELECT 1L AS id, 1 AS a").insertInto("t"))
        .hasStackTraceContaining("comes too late");
    spark.conf().set("spark.obelus.write.merge-schema", "true");
    try {
      assertThatThrownBy(() -> sql("INSERT INTO t VALUES (1, 1)"))
          .hasStackTraceContaining("option 'spark.obelus.write.merge-schema' cannot be set");
    } finally {
      spark.conf().unset("spark.obelus.write.merge-schema");
    }
    spark
        .sql("SELECT 1L AS id, 5L AS a")
        .writeTo("t")
        .option("write.merge-schema", "false")
        .append();
    assertThat(columns()).contains("a INT");
  }

  private BatchWrite planned(StructType rows) throws IOException {
    Path table = Sessions.warehouse().resolve("merges.db").resolve("t");
    CaseInsensitiveStringMap options =
        new CaseInsensitiveStringMap(Map.of("write.merge-schema", "true"));
    return ObelusTable.latest(CoreTable.open(table).table(), true)
        .merging()
        .newWriteBuilder(
            new LogicalWriteInfo() {
              @Override
              public CaseInsensitiveStringMap options() {
                return options;
              }

              @Override
              public String queryId() {
                return "query";
              }

              @Override
              public StructType schema() {
                return rows;
              }
            })
        .build()
        .toBatch();
  }

  @Test
  void what_others_change_in_the_schema_meanwhile_stays() throws IOException {
    sql(
        "CREATE TABLE t (id BIGINT NOT NULL, a INT) TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1')");
    StructType columns = StructType.fromDDL("id BIGINT, b STRING, c INT");
    BatchWrite write = planned(columns);
    BatchWrite late = planned(columns);
    sql("ALTER TABLE t ADD COLUMN c BIGINT");
    sql("ALTER TABLE t RENAME COLUMN a TO z");
    DataWriter<InternalRow> task = write.createBatchWriterFactory(() -> 1).createWriter(0, 0);
    task.write(new GenericInternalRow(new Object[] {1L, UTF8String.fromString("b"), 3}));
    write.commit(new WriterCommitMessage[] {task.commit()});
    assertThat(columns()).isEqualTo("id BIGINT NOT NULL,z INT,c BIGINT,b STRING");
    assertThat(rows()).isEqualTo("[[1,null,3,b]]");

    sql("ALTER TABLE t SET TBLPROPERTIES ('bucket' = '2')");
    refused(
        () -> late.createBatchWriterFactory(() -> 1),
        "its buckets were changed",
        "no row is written, try again");

    BatchWrite later = planned(StructType.fromDDL("id BIGINT, e STRING"));
    sql("ALTER TABLE t RENAME COLUMN id TO key");
    refused(
        () -> later.createBatchWriterFactory(() -> 1),
        "go by the columns [id], but the table goes by [key] now");
    assertThat(columns()).isEqualTo("key BIGINT NOT NULL,z INT,c BIGINT,b STRING");
  }

  @Test
  void random_rows_of_random_columns_are_there_as_they_were_written() {
    Seeds.each(3, this::randomColumns);
  }

  /** Numbers are whole or halves, and every type of their column holds them. */
  private void randomColumns(Random random) throws IOException {
    sql("DROP TABLE IF EXISTS t");
    sql(
        "CREATE TABLE t (id BIGINT NOT NULL, s STRUCT<x: INT>) TBLPROPERTIES ('primary-key' = 'id',"
            + " 'bucket' = '2', 'num-sorted-run.compaction-trigger' = '3')");
    Map<String, List<String>> types = new TreeMap<>();
    types.put("a", List.of("TINYINT", "INT", "BIGINT"));
    types.put("b", List.of("FLOAT", "DOUBLE"));
    types.put("c", List.of("DECIMAL(5, 1)", "DECIMAL(8, 3)", "DECIMAL(12, 2)"));
    types.put("d", List.of("SMALLINT", "DECIMAL(6, 0)", "DECIMAL(9, 2)"));
    types.put("s.x", List.of("INT"));
    types.put("s.y", List.of("INT"));
    types.put("s.z.w", List.of("DOUBLE"));
    Map<Long, Map<String, Double>> model = new TreeMap<>();
    for (int round = 0; round < 6; round++) {
      int from = random.nextInt(20);
      int to = from + 1 + random.nextInt(15);
      List<String> columns = new ArrayList<>(List.of("id"));
      Map<String, List<String>> structs = new TreeMap<>();
      for (String name : types.keySet()) {
        if (random.nextBoolean()) {
          continue;
        }
        int type = random.nextInt(types.get(name).size());
        boolean whole = !name.matches("[bc]|s.z.w");
        String value =
            "CAST((id + %d) %% 50 / %d AS %s)"
                .formatted(round, whole ? 1 : 2, types.get(name).get(type));
        for (long id = from; id < to; id++) {
          model
              .computeIfAbsent(id, key -> new TreeMap<>())
              .put(name + "/" + round, (id + round) % 50 / (whole ? 1 : 2.0));
        }
        if (name.startsWith("s.z")) {
          structs
              .computeIfAbsent("s", s -> new ArrayList<>())
              .add("'z', named_struct('w', " + value + ")");
        } else if (name.startsWith("s.")) {
          structs
              .computeIfAbsent("s", s -> new ArrayList<>())
              .add("'" + name.substring(2) + "', " + value);
        } else {
          columns.add(value + " AS " + name);
        }
      }
      structs.forEach(
          (name, fields) -> {
            Collections.shuffle(fields, random);
            columns.add("named_struct(" + String.join(", ", fields) + ") AS " + name);
          });
      Collections.shuffle(columns, random);
      for (long id = from; id < to; id++) { // what was written before is replaced
        int now = round;
        model
            .computeIfAbsent(id, key -> new TreeMap<>())
            .keySet()
            .removeIf(key -> !key.endsWith("/" + now));
      }
      merge("SELECT %s FROM range(%d, %d)".formatted(String.join(", ", columns), from, to));
      check(model, types.keySet());
    }
    assertThat(asPaimonReads()).hasSize(model.size());
  }

  private void check(Map<Long, Map<String, Double>> model, Set<String> names) {
    List<String> there = List.of(spark.table("t").schema().fieldNames());
    String schema = columns();
    for (String name : names) {
      boolean isThere =
          name.startsWith("s.")
              ? schema.contains(name.substring(name.length() - 1) + ":")
              : there.contains(name);
      Map<Long, Double> found = new TreeMap<>();
      String value = isThere ? "CAST(" + name + " AS DOUBLE)" : "CAST(NULL AS DOUBLE)";
      for (Row row : sql("SELECT id, " + value + " FROM t")) {
        found.put(row.getLong(0), row.isNullAt(1) ? null : Double.valueOf(row.getDouble(1)));
      }
      Map<Long, Double> expected = new TreeMap<>();
      model.forEach(
          (id, values) ->
              expected.put(
                  id,
                  values.entrySet().stream()
                      .filter(e -> e.getKey().startsWith(name + "/"))
                      .map(Map.Entry::getValue)
                      .findFirst()
                      .orElse(null)));
      assertThat(found).as(name).isEqualTo(expected);
    }
  }

  @Test
  void a_new_table_has_the_columns_anyway() {
    merging("SELECT 1L AS id, 'a' AS a").mode("errorifexists").saveAsTable("obelus.merges.t");
    assertThat(rows()).isEqualTo("[[1,a]]");
    assertThat(sql("SHOW TBLPROPERTIES t").toString()).doesNotContain("merge-schema");
  }
}
