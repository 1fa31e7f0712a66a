package io.obelus

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.LocalTableScanExec
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/**
 * Aggregates that indexes and metadata tell: the same as those of the rows, and told so wherever
 * they can.
 */
class AggregatesSuite extends ObelusSuite {

  private val told = Seq(
    "SELECT city, count(*) FROM t GROUP BY city",
    "SELECT city, count(city), count(*) FROM t GROUP BY city",
    "SELECT price, count(1) FROM t GROUP BY price",
    "SELECT city, count(*) FROM t WHERE city IN ('c1', 'c3', 'nowhere') GROUP BY city",
    "SELECT city, count(*) FROM t WHERE price = 0 GROUP BY city",
    "SELECT city, count(*) FROM t WHERE day = 1 GROUP BY city",
    "SELECT count(*) FROM t WHERE city = 'c2'",
    "SELECT count(city), count(n), count(*) FROM t",
    "SELECT min(n), max(n), min(cents), max(cents), min(at), max(at) FROM t",
    "SELECT min(n), max(n), count(*) FROM t WHERE city = 'c1'",
    "SELECT min(n), count(*) FROM t WHERE city = 'nowhere'",
    "SELECT city, count(*) AS rows FROM t GROUP BY city HAVING count(*) > 10 ORDER BY rows, city")

  private val notTold = Seq(
    "SELECT city, day, count(*) FROM t GROUP BY city, day",
    "SELECT city, min(n) FROM t GROUP BY city",
    "SELECT city, count(*) FROM t WHERE n > 3 GROUP BY city",
    "SELECT count(DISTINCT city) FROM t",
    "SELECT sum(n) FROM t",
    "SELECT upper(city), count(*) FROM t GROUP BY upper(city)",
    "SELECT n, count(*) FROM t GROUP BY n",
    "SELECT min(city) FROM t",
    "SELECT city, count(*) FILTER (WHERE n > 3) FROM t GROUP BY city")

  private val mixed = Seq(
    "SELECT city, count(city), count(*) FROM t GROUP BY city",
    "SELECT price, count(1) FROM t GROUP BY price",
    "SELECT min(n), max(n), min(cents), max(at), count(n), count(*) FROM t WHERE city = 'c1'",
    "SELECT min(n), max(n), count(city) FROM t")

  private def isTold(query: DataFrame): Boolean =
    scanOf(query).contains("from indexes")

  /** How the scan of a query describes itself. */
  private def scanOf(query: DataFrame): String =
    query.queryExecution.optimizedPlan.collectFirst {
      case relation: DataSourceV2ScanRelation => relation.scan.description
    }.get

  /** What the rows say, indexes unread. */
  private def byRows(query: String): Seq[Row] = {
    var rows = Seq.empty[Row]
    withSQLConf("spark.obelus.file-index.read.enabled" -> "false") {
      val plain = spark.sql(query)
      assert(!isTold(plain))
      rows = plain.collect().toSeq
    }
    rows
  }

  private def check(queries: Seq[String]): Unit =
    for (query <- queries) {
      checkAnswer(spark.sql(query), byRows(query))
    }

  private def create(options: (String, String)*): Unit =
    createTable(
      "t",
      "id BIGINT, city STRING, price DOUBLE, n INT, cents DECIMAL(9, 2), at TIMESTAMP, day INT",
      "id,day",
      partition = "day",
      options = Map(
        "file-index.bitmap.columns" -> "city,price",
        "file-index.bsi.columns" -> "n,cents,at") ++ options)

  private def rows(from: Int, until: Int): String =
    s"""SELECT id, IF(id % 7 = 0, NULL, concat('c', id % 4)),
       |  element_at(array(-0.0D, 0.0D, DOUBLE('NaN'), 1.5D, NULL), CAST(id % 5 AS INT) + 1),
       |  IF(id % 11 = 0, NULL, CAST(id * 7919 % 1000 - 500 AS INT)),
       |  CAST((id * 31 % 1000 - 300) / 100 AS DECIMAL(9, 2)),
       |  timestamp_micros(id * 86400123457 - 100000000000),
       |  CAST(id % 2 AS INT) FROM range($from, $until)""".stripMargin

  test("what the indexes tell is what the rows say") {
    for (threshold <- Seq("1 b", "1 mb")) {
      create("file-index.in-manifest-threshold" -> threshold)
      try {
        spark.sql(s"INSERT INTO t ${rows(0, 1000)}")
        assert(notTold.forall(query => !isTold(spark.sql(query))))
        spark.sql("DELETE FROM t WHERE id % 3 = 1 OR n > 400 OR city = 'c3'")
        spark.sql(s"INSERT INTO t ${rows(900, 1100)}")
        check(told)
        assert(told.forall(query => isTold(spark.sql(query))))
      } finally spark.sql("DROP TABLE t")
    }
  }

  test("few files are asked while the query is planned, and each group comes once") {
    create()
    try {
      for (from <- Seq(0, 1000)) {
        spark.sql(s"INSERT INTO t ${rows(from, from + 1000)}")
      }
      spark.sql("DELETE FROM t WHERE id % 3 = 1")
      for (query <- told) {
        val isTask = query.contains("GROUP BY price") // -0.0 and 0.0 are one group
        val plan = spark.sql(query).queryExecution.sparkPlan
        assert(plan.collectLeaves().forall(_.isInstanceOf[LocalTableScanExec]) != isTask, query)
      }
      check(told)
      checkAnswer(
        spark.sql("SELECT max(a.n) - min(b.n), count(*) FROM t a JOIN t b ON a.id = b.id"),
        byRows("SELECT max(n) - min(n), count(*) FROM t"))
      createTable("few", "city STRING, rows BIGINT", "city")
      spark.sql(
        "INSERT INTO few SELECT coalesce(city, 'none'), nullif(count(*), 0) FROM t GROUP BY city")
      checkAnswer(
        spark.sql("SELECT city, rows FROM few"),
        byRows("SELECT coalesce(city, 'none'), count(*) FROM t GROUP BY city"))
    } finally {
      spark.sql("DROP TABLE IF EXISTS few")
      spark.sql("DROP TABLE t")
    }
  }

  test("many files are asked in tasks") {
    create("bucket" -> "9")
    try {
      spark.sql(s"INSERT INTO t ${rows(0, 1000)}")
      for (query <- told if query.contains("FROM t GROUP BY city")) {
        assert(isTold(spark.sql(query)))
        val plan = spark.sql(query).queryExecution.sparkPlan
        assert(!plan.collectLeaves().exists(_.isInstanceOf[LocalTableScanExec]), query)
      }
      check(told)
    } finally spark.sql("DROP TABLE t")
  }

  test("files without the index, of another name or type are read row by row") {
    create("num-sorted-run.compaction-trigger" -> "100", "file-index.bsi.columns" -> "n")
    try {
      spark.sql(s"INSERT INTO t ${rows(0, 3000)}")
      spark.sql("ALTER TABLE t UNSET TBLPROPERTIES ('file-index.bsi.columns')")
      spark.sql(s"INSERT INTO t ${rows(0, 20)}") // has bitmaps alone
      spark.sql("ALTER TABLE t UNSET TBLPROPERTIES ('file-index.bitmap.columns')")
      spark.sql(s"INSERT INTO t ${rows(10, 40)}") // has no index
      spark.sql(
        "ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'city,price'," +
          " 'file-index.bsi.columns' = 'n,cents,at')")
      check(mixed)
      assert(isTold(spark.sql("SELECT min(n), count(city) FROM t")))
      assert(isTold(spark.sql("SELECT city, count(*) FROM t GROUP BY city")))
      spark.sql("ALTER TABLE t ALTER COLUMN n TYPE BIGINT")
      spark.sql(s"INSERT INTO t ${rows(30, 50)}")
      check(mixed)
      assert(isTold(spark.sql("SELECT min(n) FROM t")))
    } finally spark.sql("DROP TABLE t")
  }

  test("a column that was renamed or added later is counted by its id") {
    createTable(
      "t",
      "id INT, a STRING",
      "id",
      options = Map(
        "num-sorted-run.compaction-trigger" -> "100",
        "file-index.bitmap.columns" -> "a"))
    try {
      spark.sql("INSERT INTO t SELECT CAST(id AS INT), concat('x', id % 3) FROM range(100)")
      spark.sql("ALTER TABLE t RENAME COLUMN a TO b")
      spark.sql("ALTER TABLE t ADD COLUMN a STRING")
      spark.sql("ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'a,b')")
      spark.sql("INSERT INTO t SELECT CAST(id AS INT), 'y', 'new' FROM range(97, 103)")
      for (column <- Seq("a", "b"); query = s"SELECT $column, count(*) FROM t GROUP BY $column") {
        assert(isTold(spark.sql(query)))
        checkAnswer(spark.sql(query), byRows(query))
      }
    } finally spark.sql("DROP TABLE t")
  }

  test("of no rows the numbers are 0, whoever finds out that there are none") {
    val none = "SELECT count(*), count(city), count(n), min(n), max(at) FROM t"
    for (threshold <- Seq("1 b", "1 mb")) {
      create("file-index.in-manifest-threshold" -> threshold)
      try {
        def checkNone(conditions: String*): Unit =
          for (condition <- conditions; query = s"$none WHERE $condition") {
            assert(isTold(spark.sql(query)), query)
            checkAnswer(spark.sql(query), Seq(Row(0L, 0L, 0L, null, null)))
            checkAnswer(spark.sql(query.replace("count(*), ", "")), Seq(Row(0L, 0L, null, null)))
          }
        checkNone("true", "day = 5")
        spark.sql(s"INSERT INTO t ${rows(0, 1000)}")
        checkNone("day = 5", "city = 'c22'", "city = 'zzz'", "city IN ('a', 'c11')")
        checkAnswer(spark.sql("SELECT count(*) FROM t WHERE city = 'c22'"), Seq(Row(0L)))
        checkAnswer(
          spark.sql("SELECT city, count(*) FROM t WHERE city = 'c22' GROUP BY city"),
          Seq.empty)
        spark.sql("DELETE FROM t WHERE city = 'c1'")
        checkNone("city = 'c1'", "city = 'c1' AND day = 1")
        spark.sql("DELETE FROM t WHERE id >= 0")
        checkNone("true", "day = 1", "city = 'c2'")
      } finally spark.sql("DROP TABLE t")
    }
  }

  test("rows that must be merged are not counted by indexes") {
    createTable(
      "t",
      "id INT, a STRING",
      "id",
      options = Map(
        "deletion-vectors.enabled" -> "false",
        "write-only" -> "true",
        "file-index.bitmap.columns" -> "a"))
    try {
      spark.sql("INSERT INTO t SELECT CAST(id AS INT), concat('x', id % 3) FROM range(100)")
      spark.sql("INSERT INTO t SELECT CAST(id AS INT), 'y' FROM range(50)")
      val query = spark.sql("SELECT count(*) FROM t WHERE a = 'y'")
      assert(!isTold(query))
      checkAnswer(query, Seq(Row(50L)))
    } finally spark.sql("DROP TABLE t")
  }

  test("rows of whole partitions are counted from metadata") {
    create()
    try {
      spark.sql(s"INSERT INTO t ${rows(0, 1000)}")
      spark.sql("DELETE FROM t WHERE id < 100")
      for (condition <- Seq("day = 1", "day IN (0, 5)", "day <> 1", "day > 1", "day IS NOT NULL")) {
        val query = spark.sql(s"SELECT count(*) FROM t WHERE $condition")
        assert(scanOf(query).contains("counted from metadata"))
        checkAnswer(query, spark.sql("SELECT * FROM t").where(condition).groupBy().count())
      }
      assert(spark.sql("SELECT * FROM t WHERE day = 1 LIMIT 3").count() == 3)
      checkAnswer(
        spark.sql("SELECT count(*) FROM t WHERE day = 1 AND id % 10 = 1"),
        Seq(Row(90L)))
    } finally spark.sql("DROP TABLE t")
  }
}
