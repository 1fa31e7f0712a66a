package io.obelus

import scala.util.Random

import io.obelus.spark.plan.LookUpKeys
import io.obelus.testing.Seeds
import org.apache.spark.sql.Row
import org.apache.spark.sql.internal.SQLConf

/** MERGE that looks rows up by key: where it does, and that Spark's join gives the same table. */
class MergeByKeySuite extends ObelusSuite {

  private val columns = "id BIGINT NOT NULL, v INT, t STRING, p STRING NOT NULL"

  private def run(statement: String): Unit = spark.sql(statement)

  private def plan(statement: String): String =
    spark.sql(s"EXPLAIN $statement").head.getString(0)

  private def lookedUp(statement: String): Unit = {
    val text = plan(statement)
    assert(text.contains("lookup by key") && !text.contains("Join"), text)
  }

  private def joined(statement: String): Unit = {
    val text = plan(statement)
    assert(!text.contains("lookup by key") && text.contains("Join"), text)
  }

  private def withTable(key: String, partition: String = "", options: Map[String, String] = Map())(
      body: => Unit): Unit = {
    createTable("t", columns, key, partition, options)
    try {
      run("INSERT INTO t SELECT id, id * 10, concat('t', id), concat('p', id % 2) FROM range(20)")
      run("DELETE FROM t WHERE id = 7")
      run("CREATE OR REPLACE TEMP VIEW s AS SELECT id + 15 AS id, CAST(id AS INT) AS v," +
        " concat('s', id) AS t, concat('p', (id + 15) % 2) AS p FROM range(10)")
      body
    } finally run("DROP TABLE t")
  }

  private val into = "MERGE INTO t USING s ON t.id = s.id"
  private val update = "WHEN MATCHED THEN UPDATE SET *"
  private val insert = "WHEN NOT MATCHED THEN INSERT *"

  private def rows(): Seq[Row] = spark.sql("SELECT * FROM t ORDER BY id").collect().toSeq

  test("rows are looked up where ON says the whole key") {
    withTable("id") {
      lookedUp(s"$into $update $insert")
      lookedUp(s"$into $update")
      lookedUp(s"$into WHEN MATCHED AND t.v > 160 THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v + t.v")
      lookedUp("MERGE INTO t USING (VALUES (3), (4) AS s(k)) ON k = t.id WHEN MATCHED THEN DELETE")
      lookedUp(s"MERGE INTO t USING s ON s.id = t.id AND t.v > s.v AND t.t = 't16' $update $insert")
      run(s"$into $update $insert")
      assert(rows().map(_.getLong(0)) === (0L until 25L).filter(_ != 7))
      assert(rows().filter(_.getLong(0) >= 15).map(_.getInt(1)) === (0 until 10))
    }
    withTable("id,p", "p", Map("bucket" -> "3")) {
      lookedUp(s"$into AND t.p = s.p $update $insert")
      run(s"$into AND t.p = s.p WHEN MATCHED THEN DELETE $insert")
      assert(rows().map(_.getLong(0)) === ((0 until 15).filter(_ != 7) ++ (20 until 25)).map(_.toLong))
    }
  }

  test("rows are looked up where a MERGE only inserts") {
    withTable("id") {
      lookedUp(s"$into $insert")
      lookedUp(s"$into AND t.v > s.v WHEN NOT MATCHED AND s.v > 6 THEN INSERT *")
      lookedUp(s"$into WHEN NOT MATCHED AND s.v > 6 THEN INSERT (id, p) VALUES (s.id, 'q') $insert")
      joined(s"$into WHEN NOT MATCHED THEN INSERT (id, p) VALUES (s.id + 100, 'q')")
      run(s"$into WHEN NOT MATCHED AND s.v > 6 THEN INSERT *")
      assert(rows().map(_.getLong(0)) === ((0L until 20L).filter(_ != 7) ++ Seq(22L, 23L, 24L)))
      assert(rows().filter(_.getLong(0) >= 15).map(_.getInt(1)) ===
        Seq(150, 160, 170, 180, 190, 7, 8, 9))
      run(s"$into AND t.v > 170 WHEN NOT MATCHED THEN INSERT (id, v, p) VALUES (s.id, -1, s.p)")
      assert(rows().filter(_.getLong(0) >= 15).map(_.getInt(1)) ===
        Seq(-1, -1, -1, 180, 190, -1, -1, -1, -1, -1))
    }
  }

  test("an INSERT with an anti join of another table stays as it is") {
    withTable("id") {
      createTable("other", columns, "id", options = Map("bucket" -> "3"))
      run("INSERT INTO other VALUES (16, 1, 'o', 'p')")
      joined("INSERT INTO t SELECT s.* FROM s LEFT ANTI JOIN other ON other.id = s.id")
      run("INSERT INTO t SELECT s.* FROM s LEFT ANTI JOIN other ON other.id = s.id")
      assert(rows().filter(_.getLong(0) >= 15).map(_.getInt(1)) ===
        Seq(0, 160, 2, 3, 4, 5, 6, 7, 8, 9))
      run("DROP TABLE other")
    }
  }

  test("a key of a narrower type is widened on the way") {
    withTable("id") {
      run("CREATE OR REPLACE TEMP VIEW n AS SELECT CAST(id AS INT), v, t, p FROM s")
      lookedUp(s"MERGE INTO t USING n AS s ON t.id = s.id $update $insert")
      run(s"MERGE INTO t USING n AS s ON t.id = s.id $update $insert")
      assert(rows().length === 24)
    }
  }

  test("Spark's join stays where a lookup would not be the same") {
    withTable("id") {
      joined(s"MERGE INTO t USING s ON t.v = s.v WHEN MATCHED THEN DELETE")
      joined(s"MERGE INTO t USING s ON t.id > s.id WHEN MATCHED THEN DELETE")
      joined(
        s"$into WHEN MATCHED THEN DELETE" +
          " WHEN NOT MATCHED THEN INSERT (id, v, t, p) VALUES (s.id + 100, s.v, s.t, s.p)")
      joined(s"$into $update WHEN NOT MATCHED BY SOURCE THEN DELETE")
      joined("MERGE INTO t USING (VALUES (3.5D), (4.0D) AS s(k)) ON k = t.id WHEN MATCHED THEN DELETE")
      withSQLConf(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> classOf[LookUpKeys].getName) {
        joined(s"$into $update $insert")
      }
    }
    withTable("id,p", "p") {
      joined(s"$into $update $insert")
    }
  }

  test("a key that is NULL matches nothing") {
    withTable("id") {
      run(
        "MERGE INTO t USING (SELECT CAST(NULL AS BIGINT) AS id UNION ALL SELECT 3) AS s" +
          " ON t.id = s.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED AND s.id IS NOT NULL" +
          " THEN INSERT (id, p) VALUES (s.id, 'n')")
      assert(rows().map(_.getLong(0)) === (0L until 20L).filter(id => id != 7 && id != 3))
    }
  }

  test("two rows of the source for one of the target are an error, others are not") {
    withTable("id") {
      val twice = "(SELECT * FROM s UNION ALL SELECT * FROM s WHERE %s)"
      val error = intercept[Exception] {
        run(s"MERGE INTO t USING ${twice.format("id = 17")} AS s ON t.id = s.id $update")
      }
      assert(causes(error).exists(_.contains("MERGE_CARDINALITY_VIOLATION")), error)
      run(s"MERGE INTO t USING ${twice.format("id = 23")} AS s ON t.id = s.id $update")
      assert(rows().length === 19)
    }
  }

  private def causes(error: Throwable): Seq[String] =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).map(_.toString).toSeq

  test("a table is its own source") {
    withTable("id") {
      run("MERGE INTO t USING (SELECT * FROM t WHERE id > 10) AS s ON t.id = s.id" +
        " WHEN MATCHED THEN UPDATE SET v = t.v + s.v")
      assert(rows().map(_.getInt(1)).sum === (0 until 20).filter(_ != 7).map(id =>
        if (id > 10) 20 * id else 10 * id).sum)
    }
  }

  test("an empty table and an empty source") {
    createTable("e", columns, "id")
    run("CREATE OR REPLACE TEMP VIEW one AS SELECT 1L AS id, 2 AS v, 't' AS t, 'p' AS p")
    run(s"MERGE INTO e AS t USING one AS s ON t.id = s.id $update $insert")
    run(s"MERGE INTO e AS t USING (SELECT * FROM one WHERE v > 2) AS s ON t.id = s.id $update $insert")
    checkAnswer(spark.table("e"), Row(1L, 2, "t", "p"))
    run("DROP TABLE e")
  }

  /** Statements in random order on two tables, of which one is merged into by Spark's join. */
  private def history(random: Random): Unit = {
    def pick[T](values: T*): T = values(random.nextInt(values.length))
    val partitioned = random.nextBoolean()
    val key = if (partitioned) pick("id,p", "p,id") else pick("id", "id,p", "p,id")
    val equal = if (key == "id") "t.id = s.id" else pick("t.id = s.id AND t.p = s.p", "s.p = t.p AND s.id = t.id")
    val options = Map(
      "bucket" -> pick("1", "2", "3"),
      "target-file-size" -> pick("2 kb", "1 mb"),
      "parquet.page.row.count.limit" -> pick("10", "2000")) ++
      (if (random.nextBoolean()) Map("file-index.bitmap.columns" -> "v,t") else Map.empty) ++
      (if (random.nextBoolean()) Map("sequence.field" -> "p") else Map.empty)
    Seq("t", "u").foreach(createTable(_, columns, key, if (partitioned) "p" else "", options))
    def both(statement: String): Unit = {
      run(statement.replace("%", "t"))
      withSQLConf(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> classOf[LookUpKeys].getName) {
        run(statement.replace("%", "u"))
      }
    }
    try {
      for (_ <- 1 to 6) {
        val n = random.nextInt(1000)
        val size = pick(0, 1, 5, 40)
        val source = s"(SELECT id, IF(id = $n, NULL, CAST(pmod(hash(id, $n), 9) AS INT)) AS v," +
          s" concat('t', pmod(hash($n, id), 5)) AS t, concat('p', pmod(id, 3)) AS p" +
          s" FROM (SELECT pmod(id * 7 + $n, 60) AS id FROM range($size)))"
        val on = equal + pick("", "", " AND t.v > 3", " AND t.v IS NOT NULL AND t.t <> s.t",
          " AND t.v + s.v > 5", " AND t.t = 't1'", " AND s.v > 2", " AND t.v IN (1, 2, 3)")
        val matched = Seq(
          pick("", "", " WHEN MATCHED AND t.v > s.v THEN DELETE", " WHEN MATCHED AND s.v = 1 THEN UPDATE SET v = t.v + 1"),
          pick("", "", " WHEN MATCHED THEN UPDATE SET *", " WHEN MATCHED THEN DELETE",
            " WHEN MATCHED THEN UPDATE SET t = concat(t.t, s.t), v = s.v"))
        val inserted = pick("", " WHEN NOT MATCHED THEN INSERT *",
          " WHEN NOT MATCHED AND s.v > 4 THEN INSERT (p, id, v) VALUES (s.p, s.id, 100)")
        val clauses = matched.mkString + inserted
        random.nextInt(6) match {
          case 0 => both(s"INSERT INTO % SELECT * FROM $source")
          case 1 => both(s"DELETE FROM % WHERE v = ${random.nextInt(9)}")
          case 2 if random.nextBoolean() =>
            both(s"CALL sys.compact(table => '$database.%', compact_strategy => '${pick("full", "minor")}')")
          case _ if clauses.nonEmpty =>
            both(s"MERGE INTO % AS t USING $source AS s ON $on$clauses")
            checkAnswer(spark.table("t"), spark.table("u").collect().toSeq)
          case _ =>
        }
      }
      checkAnswer(spark.table("t"), spark.table("u").collect().toSeq)
    } finally Seq("t", "u").foreach(name => run(s"DROP TABLE $name"))
  }

  test("random statements leave what Spark's join leaves") {
    Seeds.each(10, random => history(new Random(random)))
  }
}
