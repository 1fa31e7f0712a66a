package io.obelus

import org.apache.spark.sql.Row

/** INSERT with some of the columns: the others are NULL, or what their DEFAULT says. */
class PartialInsertSuite extends ObelusSuite {

  private def withTable(columns: String, key: String = "", partition: String = "")(
      test: => Unit): Unit = {
    createTable("t", columns, key, partition)
    try test
    finally spark.sql("DROP TABLE t")
  }

  private def rows(expected: Row*): Unit = checkAnswer(spark.table("t"), expected)

  private def fails(statement: String)(words: String): Unit = {
    val error = intercept[Exception](spark.sql(statement))
    assert(error.getMessage.contains(words), error)
  }

  test("columns that are not named are NULL") {
    withTable("a INT, b STRING, c DOUBLE, d STRUCT<x: INT, y: ARRAY<STRING>>") {
      spark.sql("INSERT INTO t (a, c) VALUES (1, 1.5), (2, NULL)")
      spark.sql("INSERT INTO t (C, A) SELECT id, id + 10 FROM range(2)")
      spark.sql("INSERT INTO t (b) SELECT DISTINCT 'x' FROM range(3)")
      spark.sql("WITH s AS (SELECT 7 AS a) INSERT INTO t (a) SELECT max(a) FROM s")
      spark.sql(s"INSERT INTO obelus.$database.t (a) VALUES (8)")
      spark.sql("INSERT INTO t (b, a) SELECT 'u', 9 UNION ALL SELECT 'v', 10 ORDER BY 2 LIMIT 1")
      rows(
        Row(1, null, 1.5, null),
        Row(2, null, null, null),
        Row(10, null, 0.0, null),
        Row(11, null, 1.0, null),
        Row(null, "x", null, null),
        Row(7, null, null, null),
        Row(8, null, null, null),
        Row(9, "u", null, null))
      spark.sql("INSERT OVERWRITE t (b) VALUES ('only')")
      rows(Row(null, "only", null, null))
    }
  }

  test("columns that are not named are NULL under each policy of assignment") {
    withTable("id INT, d DATE, c CHAR(2), v VARCHAR(2), m DECIMAL(5, 1), s STRUCT<x: INT>", "id") {
      for ((policy, id) <- Seq("STRICT" -> 1, "ANSI" -> 2)) {
        withSQLConf("spark.sql.storeAssignmentPolicy" -> policy) {
          spark.sql(s"INSERT INTO t (id) VALUES ($id)")
          spark.sql(s"INSERT INTO t (id, v) SELECT ${id + 10}, 'v'")
        }
      }
      rows(
        Row(1, null, null, null, null, null),
        Row(2, null, null, null, null, null),
        Row(11, null, null, "v", null, null),
        Row(12, null, null, "v", null, null))
    }
  }

  test("keys, partitions and columns that may not be NULL have to be named") {
    withTable("id INT, p STRING, v STRING, n INT NOT NULL", "id, p", "p") {
      spark.sql("INSERT INTO t (n, p, id) VALUES (1, 'x', 5)")
      spark.sql("INSERT INTO t PARTITION (p = 'y') (id, n) VALUES (6, 2)")
      rows(Row(5, "x", null, 1), Row(6, "y", null, 2))
      fails("INSERT INTO t (id, p) VALUES (1, 'x')")(
        "column 'n' is NOT NULL and has no DEFAULT")
      fails("INSERT INTO t (p, n) VALUES ('x', 1)")("column 'id' is NOT NULL")
      rows(Row(5, "x", null, 1), Row(6, "y", null, 2))
    }
  }

  test("a DEFAULT stands in for columns that are not named") {
    val columns =
      "a INT, b STRING DEFAULT 'x y', c BIGINT DEFAULT -7, d DOUBLE DEFAULT 0.5, e BOOLEAN DEFAULT true"
    withTable(s"$columns, f DECIMAL(8,2) DEFAULT 12.25, g INT DEFAULT NULL") {
      spark.sql("INSERT INTO t (a) VALUES (1)")
      spark.sql("INSERT INTO t (c, a) SELECT 5, 2")
      spark.sql("INSERT INTO t (a, b) VALUES (3, DEFAULT), (4, NULL)")
      spark.sql("INSERT INTO t VALUES (5, DEFAULT, 1, 1, false, 1, 1)")
      val f = new java.math.BigDecimal("12.25")
      val one = new java.math.BigDecimal("1.00")
      rows(
        Row(1, "x y", -7L, 0.5, true, f, null),
        Row(2, "x y", 5L, 0.5, true, f, null),
        Row(3, "x y", -7L, 0.5, true, f, null),
        Row(4, null, -7L, 0.5, true, f, null),
        Row(5, "x y", 1L, 1.0, false, one, 1))
      spark.sql("ALTER TABLE t ALTER COLUMN b SET DEFAULT 'z'")
      spark.sql("ALTER TABLE t ALTER COLUMN c DROP DEFAULT")
      spark.sql("TRUNCATE TABLE t")
      spark.sql("INSERT INTO t (a) VALUES (6)")
      rows(Row(6, "z", null, 0.5, true, f, null))
      fails("ALTER TABLE t ADD COLUMN h INT DEFAULT 7")("would not get the DEFAULT")
      fails("ALTER TABLE t ALTER COLUMN b SET DEFAULT concat('a', 'b')")("cannot be stored")
      fails("CREATE TABLE u (a DATE DEFAULT current_date())")("cannot be stored")
    }
    withTable("id INT, v STRING NOT NULL DEFAULT 'v'", "id") {
      spark.sql("INSERT INTO t (id) VALUES (1), (2)")
      spark.sql("MERGE INTO t USING (SELECT 3 AS id) s ON s.id = t.id WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, DEFAULT)")
      rows(Row(1, "v"), Row(2, "v"), Row(3, "v"))
    }
  }

  test("EXPLAIN shows the columns that are filled in") {
    withTable("a INT, b STRING DEFAULT 'x', c DOUBLE") {
      val plan = spark.sql("EXPLAIN EXTENDED INSERT INTO t (a) VALUES (1)").head().getString(0)
      assert(plan.contains("AppendData") && plan.contains("1, x, null"), plan)
      rows()
    }
  }

  test("what does not fit is for Spark to say") {
    withTable("a INT, b STRING, c DOUBLE") {
      fails("INSERT INTO t (a, x) VALUES (1, 2)")("`x`")
      fails("INSERT INTO t (a, a) VALUES (1, 2)")("`a`")
      fails("INSERT INTO t (a, b) VALUES (1)")("not enough data columns")
      fails("INSERT INTO t (a) VALUES (1, 2)")("too many data columns")
      fails("INSERT INTO t VALUES (1)")("not enough data columns")
      fails("INSERT INTO nowhere (a) VALUES (1)")("nowhere")
      rows()
    }
  }

  test("tables of others are left alone") {
    spark.sql("CREATE TABLE spark_catalog.default.plain (a INT, b INT DEFAULT 4) USING parquet")
    try {
      spark.sql("INSERT INTO spark_catalog.default.plain (a) VALUES (1)")
      checkAnswer(spark.table("spark_catalog.default.plain"), Row(1, 4))
    } finally spark.sql("DROP TABLE spark_catalog.default.plain")
  }
}
