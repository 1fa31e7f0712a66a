package io.obelus

import scala.util.Random

import io.obelus.testing.Seeds
import org.apache.spark.sql.Row
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.internal.SQLConf.PARTITION_OVERWRITE_MODE

/** Keys, versions, deletes, row-level statements, partitions: what a table must answer. */
class CasesSuite extends CaseSuite {

  behaviour("O-01 one row per key, whatever the levels hold") {
    table("t", "a INT, b INT", "a")
    run("INSERT INTO t VALUES (1,2),(2,2),(3,3)")
    for (b <- 3 to 7) {
      run(s"INSERT INTO t VALUES (1,$b)")
      answer("SELECT * FROM t")(Row(1, b), Row(2, 2), Row(3, 3))
    }
    value("SELECT count(*) FROM t")(3)
  }

  behaviour("O-01 bitmaps switched on after writes without them") {
    table("t", "a INT, b INT", "a", options = Map("deletion-vectors.enabled" -> "false"))
    run("INSERT INTO t VALUES (1,2),(2,2),(3,3)")
    (3 to 7).foreach(b => run(s"INSERT INTO t VALUES (1,$b)"))
    answer("SELECT * FROM t")(Row(1, 7), Row(2, 2), Row(3, 3))
    run("ALTER TABLE t SET TBLPROPERTIES ('deletion-vectors.enabled' = 'true')")
    answer("SELECT * FROM t")(Row(1, 7), Row(2, 2), Row(3, 3))
    value("SELECT count(*) FROM t")(3)
    run("INSERT INTO t VALUES (2,9),(4,4)")
    answer("SELECT * FROM t")(Row(1, 7), Row(2, 9), Row(3, 3), Row(4, 4))
    value("SELECT count(*) FROM t")(4)
  }

  behaviour("O-02 an older version arrives later") {
    table("t", "id INT, v STRING, ver INT", "id", options = Map("sequence.field" -> "ver"))
    run("INSERT INTO t VALUES (1,'a',5)")
    settle()
    run("INSERT INTO t VALUES (1,'b',3)")
    answer("SELECT * FROM t")(Row(1, "a", 5))
    run("INSERT INTO t VALUES (1,'c',5)")
    answer("SELECT * FROM t")(Row(1, "c", 5))
    run("INSERT INTO t VALUES (1,'d',9)")
    answer("SELECT * FROM t")(Row(1, "d", 9))
    run("INSERT INTO t VALUES (1,'e',8),(2,'x',1)")
    answer("SELECT * FROM t")(Row(1, "d", 9), Row(2, "x", 1))
    value("SELECT count(*) FROM t")(2)
  }

  private val versions = Seq(
    "2020-02-21" -> "a",
    "2020-02-22" -> "b",
    "2020-03-05" -> "c",
    "2020-02-26" -> "d",
    "2020-02-23" -> "e",
    "2020-02-24" -> "b").map { case (day, word) => s"(1, DATE '$day', '$word')" }

  behaviour("O-03 several versions of a key in one commit") {
    table("t", "id INT, day DATE, kw STRING", "id", options = Map("sequence.field" -> "day"))
    run(versions.mkString("INSERT INTO t VALUES ", ",", ""))
    answer("SELECT id, CAST(day AS STRING), kw FROM t")(Row(1, "2020-03-05", "c"))
  }

  behaviour("O-03 several versions of a key, each its own commit, in any order") {
    Seeds.each(1, random => {
      table("t", "id INT, day DATE, kw STRING", "id", options = Map("sequence.field" -> "day"))
      new Random(random).shuffle(versions).foreach(row => run(s"INSERT INTO t VALUES $row"))
      answer("SELECT id, CAST(day AS STRING), kw FROM t")(Row(1, "2020-03-05", "c"))
    })
  }

  behaviour("O-12 aggregates after deletes") {
    table("t", "id INT, v INT, n INT", "id")
    run("INSERT INTO t SELECT id, id, if(id % 2 = 0, null, id) FROM range(1, 101)")
    settle()
    val aggregates = "SELECT count(*), count(n), min(v), max(v), sum(v) FROM t"
    run("DELETE FROM t WHERE id IN (1, 100)")
    answer(aggregates)(Row(98L, 49L, 2, 99, 4949L))
    run("DELETE FROM t WHERE id % 2 = 1")
    answer("SELECT count(*), count(n), min(n), min(v), max(v) FROM t")(Row(49L, 0L, null, 2, 98))
    run("DELETE FROM t WHERE id > 0")
    answer("SELECT count(*), min(v) FROM t")(Row(0L, null))
    value("SELECT count(*) FROM t")(0)
  }

  behaviour("O-12 aggregates that need no column of the files") {
    table("t", "id INT, part INT", "id,part", partition = "part")
    run("INSERT INTO t SELECT id, id % 2 FROM range(0, 10000)")
    settle()
    run("DELETE FROM t WHERE id BETWEEN 5000 AND 5099 AND part = 0")
    value("SELECT sum(part + 1) FROM t WHERE part = 0")(4950)
    value("SELECT count(*) FROM t")(9950)
  }

  behaviour("O-13 LIMIT counts live rows") {
    table("t", "id INT, v STRING", "id")
    run("INSERT INTO t SELECT id, 'v' FROM range(1, 101)")
    settle()
    run("INSERT INTO t SELECT id, 'v' FROM range(101, 201)")
    run("DELETE FROM t WHERE id BETWEEN 1 AND 99")
    for ((limit, rows) <- Seq(50 -> 50, 101 -> 101, 1000 -> 101)) {
      value(s"SELECT count(*) FROM (SELECT * FROM t LIMIT $limit)")(rows)
      assert(spark.sql(s"SELECT * FROM t LIMIT $limit").collect().length == rows)
    }
    answer("SELECT id FROM t WHERE id <= 100 LIMIT 5")(Row(100))
  }

  behaviour("O-14 a read sees every commit that returned before it started") {
    table("t", "id INT, v STRING", "id")
    val other = spark.newSession()
    for (id <- 1 to 5) {
      run(s"INSERT INTO t VALUES ($id, 'v')")
      val seen = other.sql(s"SELECT count(*) FROM obelus.$database.t").head().getLong(0)
      assert(seen == id)
    }
    checkAnswer(
      other.sql(
        s"SELECT count(*) FROM obelus.$database.t AS a JOIN obelus.$database.t AS b ON a.id = b.id"),
      Row(5L))
  }

  behaviour("O-17 repeated deletes") {
    table("t", "id INT, v STRING", "id")
    run("INSERT INTO t SELECT id, 'v' FROM range(1, 11)")
    settle()
    val ten = newestSnapshot("t")
    run("DELETE FROM t WHERE id = 5")
    val nine = newestSnapshot("t")
    value("SELECT count(*) FROM t")(9)
    run("DELETE FROM t WHERE id = 9")
    val eight = newestSnapshot("t")
    value("SELECT count(*) FROM t")(8)
    run("DELETE FROM t WHERE id = 5")
    value("SELECT count(*) FROM t")(8)
    for ((snapshot, rows) <- Seq(ten -> 10, nine -> 9, eight -> 8)) {
      value(s"SELECT count(*) FROM t VERSION AS OF $snapshot")(rows)
      assert(spark.sql(s"SELECT * FROM t VERSION AS OF $snapshot").collect().length == rows)
    }
  }

  private def twoPartitions(): Unit = {
    table("t", "id INT, pt STRING", "id,pt", partition = "pt")
    run("INSERT INTO t VALUES (1,'p1'),(2,'p2'),(91,'p1'),(92,'p2')")
    run("DELETE FROM t WHERE id > 90")
  }

  private def overwritten(words: String, mode: String)(statement: => Any)(rows: Row*): Unit =
    behaviour(s"O-19 $mode: $words") {
      withSQLConf(PARTITION_OVERWRITE_MODE.key -> mode) {
        spark.range(0).selectExpr("CAST(id AS INT) AS id", "'p' AS pt").createOrReplaceTempView("empty")
        twoPartitions()
        change(statement)
        answer("SELECT * FROM t")(rows: _*)
        value("SELECT count(*) FROM t")(rows.size)
      }
    }

  for ((mode, statement, rows) <- Seq(
      ("static", "INSERT OVERWRITE t VALUES (3,'p1')", Seq(Row(3, "p1"))),
      (
        "static",
        "INSERT OVERWRITE t PARTITION (pt='p1') VALUES (3)",
        Seq(Row(2, "p2"), Row(3, "p1"))),
      ("dynamic", "INSERT OVERWRITE t VALUES (3,'p1')", Seq(Row(2, "p2"), Row(3, "p1"))),
      ("static", "INSERT OVERWRITE t SELECT * FROM empty", Seq.empty),
      (
        "dynamic",
        "INSERT OVERWRITE t SELECT * FROM empty",
        Seq(Row(1, "p1"), Row(2, "p2"))),
      (
        "static",
        "INSERT OVERWRITE t PARTITION (pt='p1') SELECT id FROM empty",
        Seq(Row(2, "p2"))))) {
    overwritten(statement, mode)(spark.sql(statement))(rows: _*)
  }

  private def three = spark.sql("SELECT 3 AS id, 'p1' AS pt")

  overwritten("overwritePartitions()", "static")(three.writeTo("t").overwritePartitions())(
    Row(2, "p2"),
    Row(3, "p1"))

  overwritten("overwrite(a partition)", "static")(three.writeTo("t").overwrite(col("pt") === "p1"))(
    Row(2, "p2"),
    Row(3, "p1"))

  overwritten("overwrite(true)", "static")(three.writeTo("t").overwrite(lit(true)))(Row(3, "p1"))

  private val merge =
    "MERGE INTO t USING s ON t.id = s.id AND t.id > 4 WHEN MATCHED THEN UPDATE SET v = s.v"

  behaviour("O-20 MERGE with WHEN NOT MATCHED BY SOURCE THEN DELETE") {
    table("t", "id INT, v INT", "id")
    run("INSERT INTO t VALUES (1,10),(5,50),(7,70)")
    spark.sql("SELECT 5 AS id, 500 AS v").createOrReplaceTempView("s")
    run(s"$merge WHEN NOT MATCHED BY SOURCE THEN DELETE")
    answer("SELECT * FROM t")(Row(5, 500))
    value("SELECT count(*) FROM t")(1)
  }

  behaviour("O-20 MERGE with WHEN NOT MATCHED BY SOURCE THEN UPDATE") {
    table("t", "id INT, v INT", "id")
    run("INSERT INTO t VALUES (1,10),(5,50),(7,70)")
    spark.sql("SELECT 5 AS id, 500 AS v").createOrReplaceTempView("s")
    run(s"$merge WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = -1")
    answer("SELECT * FROM t")(Row(1, -1), Row(5, 500), Row(7, -1))
  }

  behaviour("O-21 MERGE with two source rows for one target row") {
    table("t", "id INT, v STRING", "id")
    run("INSERT INTO t VALUES (1,'a'),(2,'b')")
    spark.sql("SELECT * FROM VALUES (1,'x'),(1,'y') AS s(id, v)").createOrReplaceTempView("s")
    val before = snapshotIds("t")
    val error = intercept[Exception] {
      run("MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v")
    }
    assert(says(error, "MERGE_CARDINALITY_VIOLATION"))
    assert(snapshotIds("t") == before)
    answer("SELECT * FROM t")(Row(1, "a"), Row(2, "b"))
  }

  behaviour("O-21 MERGE that inserts two rows of one key keeps one") {
    table("t", "id INT, v STRING", "id")
    run("INSERT INTO t VALUES (1,'a')")
    spark.sql("SELECT * FROM VALUES (3,'x'),(3,'y') AS s(id, v)").createOrReplaceTempView("s")
    run("MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *")
    answer("SELECT id, v IN ('x', 'y') FROM t WHERE id = 3")(Row(3, true))
    value("SELECT count(*) FROM t")(2)
  }

  behaviour("O-21 MERGE that updates, and inserts two rows of one key") {
    table("t", "id INT, v STRING", "id")
    run("INSERT INTO t VALUES (1,'a')")
    spark.sql("SELECT * FROM VALUES (1,'z'),(3,'x'),(3,'y') AS s(id, v)").createOrReplaceTempView("s")
    val before = snapshotIds("t")
    val error = intercept[Exception] {
      run(
        "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")
    }
    assert(says(error, "more than one new row for the key id=3"))
    assert(snapshotIds("t") == before)
    answer("SELECT * FROM t")(Row(1, "a"))
  }

  for ((statement, rows) <- Seq(
      "DELETE FROM t WHERE v > 10" -> Seq(Row(1, null), Row(2, 5)),
      "DELETE FROM t WHERE NOT (v > 10)" -> Seq(Row(1, null), Row(3, 20)),
      "UPDATE t SET v = 0 WHERE v <> 5" -> Seq(Row(1, null), Row(2, 5), Row(3, 0)))) {
    behaviour(s"O-22 where the condition is NULL: $statement") {
      table("t", "id INT, v INT", "id")
      run("INSERT INTO t VALUES (1,NULL),(2,5),(3,20)")
      run(statement)
      answer("SELECT * FROM t")(rows: _*)
    }
  }

  behaviour("O-23 DELETE with an implicit cast") {
    table("t", "id INT, data STRING", "id")
    run("INSERT INTO t VALUES (1,'1'),(2,'2'),(3,'a'),(4,'b')")
    run("DELETE FROM t WHERE data = 2")
    answer("SELECT id FROM t")(Row(1), Row(3), Row(4))
  }

  behaviour("O-23 DELETE with an implicit cast under ANSI") {
    table("t", "id INT, data STRING", "id")
    run("INSERT INTO t VALUES (1,'1'),(2,'2'),(3,'a'),(4,'b')")
    withSQLConf("spark.sql.ansi.enabled" -> "true") {
      val error = intercept[Exception](run("DELETE FROM t WHERE data = 2"))
      assert(says(error, "CAST_INVALID_INPUT"))
    }
    value("SELECT count(*) FROM t")(4)
  }

  behaviour("O-23 DELETE by partition and another column") {
    table("t", "id INT, dt STRING, v STRING", "id,dt", partition = "dt")
    run(
      "INSERT INTO t VALUES (1,'2024-01-01','long'),(2,'2024-01-01','x'),(3,'2024-01-02','longer')")
    run("DELETE FROM t WHERE dt = '2024-01-01' AND length(v) > 3")
    answer("SELECT id FROM t")(Row(2), Row(3))
  }

  private val names = Seq("a b", "a/b", "a:b", "a=b", "100%", "x+y", "数据", ".", "")

  behaviour("O-26 partition values come back as they were written", Seq(Straight, RowByRow)) {
    table("t", "id INT, pt STRING", "", partition = "pt")
    names.zipWithIndex.foreach { case (name, i) => run(s"INSERT INTO t VALUES ($i, '$name')") }
    run("INSERT INTO t VALUES (9, NULL)")
    answer("SELECT * FROM t")(
      names.zipWithIndex.map { case (name, i) => Row(i, name) } :+ Row(9, null): _*)
    names.zipWithIndex.foreach { case (name, i) =>
      answer(s"SELECT id FROM t WHERE pt = '$name'")(Row(i))
    }
    answer("SELECT id FROM t WHERE pt IS NULL")(Row(9))
    run("DELETE FROM t WHERE pt = ''")
    answer("SELECT id FROM t WHERE pt = '' OR pt IS NULL")(Row(9))
    value("SELECT count(*) FROM t")(9)
  }

  behaviour("O-26 partition values of a table with a key") {
    table("t", "id INT, pt STRING", "id,pt", partition = "pt")
    names.zipWithIndex.foreach { case (name, i) => run(s"INSERT INTO t VALUES ($i, '$name')") }
    answer("SELECT * FROM t")(names.zipWithIndex.map { case (name, i) => Row(i, name) }: _*)
    names.zipWithIndex.foreach { case (name, i) =>
      answer(s"SELECT id FROM t WHERE pt = '$name'")(Row(i))
    }
    run("DELETE FROM t WHERE pt = ''")
    value("SELECT count(*) FROM t")(8)
    run("INSERT INTO t VALUES (7, '.')")
    value("SELECT count(*) FROM t")(8)
  }
}
