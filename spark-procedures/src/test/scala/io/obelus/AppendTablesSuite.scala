package io.obelus

import io.obelus.core.table.snapshot.LiveFiles
import io.obelus.spark.ObelusTable
import org.apache.spark.sql.Row
import org.apache.spark.sql.connector.catalog.{Identifier, TableCatalog}

/** DELETE, UPDATE, MERGE and compaction of tables without a key: equal rows stand beside each other. */
class AppendTablesSuite extends ObelusSuite {

  private val bitmaps = Map("deletion-vectors.enabled" -> "true")
  private val buckets = bitmaps ++ Map("bucket" -> "2", "bucket-key" -> "id")

  /** Kinds of tables: options, and the partition column. */
  private val kinds = Seq(
    (bitmaps, ""),
    (buckets, "v"),
    (bitmaps + ("deletion-vectors.bitmap64" -> "true"), "v"))

  /** Runs a test on each kind of table `t (id INT, v STRING)`, filled by two statements. */
  private def withTables(first: String, second: String = "")(test: => Unit): Unit =
    kinds.foreach { case (options, partition) =>
      withClue(s"$options by '$partition': ") {
        createTable("t", "id INT, v STRING", "", partition, options)
        try {
          Seq(first, second).filter(_.nonEmpty).foreach(v => spark.sql(s"INSERT INTO t VALUES $v"))
          test
        } finally spark.sql("DROP TABLE t")
      }
    }

  private def rows(expected: (Any, Any)*): Unit =
    checkAnswer(spark.sql("SELECT id, v FROM t"), expected.map { case (id, v) => Row(id, v) })

  private def fails(statement: String)(words: String): Unit = {
    val error = intercept[Exception](spark.sql(statement))
    val all = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).take(20)
    assert(all.exists(e => String.valueOf(e.getMessage).contains(words)), error)
  }

  private def files: Seq[Long] = {
    val table = spark.sessionState.catalogManager
      .catalog("obelus")
      .asInstanceOf[TableCatalog]
      .loadTable(Identifier.of(Array(database), "t"))
      .asInstanceOf[ObelusTable]
      .table
    import scala.collection.JavaConverters._
    new LiveFiles(table, table.snapshots.latest.get)
      .buckets(_ => true)
      .asScala
      .flatMap(_.files.asScala.map(_.rowCount))
  }

  test("DELETE takes all rows that match, however often they are there") {
    withTables("(1, 'a'), (1, 'a'), (2, 'b'), (null, null)", "(1, 'a'), (3, null)") {
      spark.sql("DELETE FROM t WHERE id = 1")
      rows((2, "b"), (null, null), (3, null))
      spark.sql("DELETE FROM t WHERE id <> 2") // of NULL nobody knows
      rows((2, "b"), (null, null))
      spark.sql("DELETE FROM t WHERE v IS NULL")
      rows((2, "b"))
      spark.sql("DELETE FROM t WHERE id = 9")
      rows((2, "b"))
      spark.sql("DELETE FROM t")
      rows()
    }
  }

  test("the same file loses rows again and again, and its past stays") {
    createTable("t", "id INT, v STRING", "", options = bitmaps)
    spark.sql("INSERT INTO t SELECT id, 'x' FROM range(0, 1000, 1, 1)")
    (0 until 7).foreach(n => spark.sql(s"DELETE FROM t WHERE id % 10 = $n"))
    checkAnswer(spark.sql("SELECT count(*), min(id) FROM t"), Row(300, 7))
    assert(files == Seq(1000))
    checkAnswer(spark.sql("SELECT count(*) FROM t VERSION AS OF 4"), Row(700))
    checkAnswer(spark.sql("SELECT count(*) FROM t VERSION AS OF 1"), Row(1000))
    spark.sql("DROP TABLE t")
  }

  test("UPDATE changes all rows that match, keys of buckets and partitions too") {
    withTables("(1, 'a'), (1, 'a'), (2, 'b')", "(1, 'c'), (null, 'b')") {
      spark.sql("UPDATE t SET v = 'z' WHERE id = 1 AND v = 'a'")
      rows((1, "z"), (1, "z"), (2, "b"), (1, "c"), (null, "b"))
      spark.sql("UPDATE t SET id = coalesce(id, 0) + 10, v = concat(v, v) WHERE v = 'b'")
      rows((1, "z"), (1, "z"), (12, "bb"), (1, "c"), (10, "bb"))
      spark.sql("UPDATE t SET id = id + 1")
      rows((2, "z"), (2, "z"), (13, "bb"), (2, "c"), (11, "bb"))
      val before = newestSnapshot("t")
      spark.sql("UPDATE t SET v = 'q' WHERE id > 1000")
      assert(newestSnapshot("t") == before)
    }
  }

  test("subqueries and the table itself decide") {
    withTables("(1, 'a'), (2, 'b'), (2, 'b'), (3, 'c')") {
      spark.sql("DELETE FROM t WHERE id IN (SELECT max(id) FROM t)")
      rows((1, "a"), (2, "b"), (2, "b"))
      spark.sql("UPDATE t SET v = 'x' WHERE EXISTS (SELECT 1 FROM t s WHERE s.id = t.id - 1)")
      rows((1, "a"), (2, "x"), (2, "x"))
      spark.sql("DELETE FROM t WHERE id NOT IN (SELECT id FROM t WHERE v = 'x')")
      rows((2, "x"), (2, "x"))
    }
  }

  test("MERGE with all its clauses") {
    withTables("(1, 'a'), (1, 'a'), (2, 'b'), (3, 'c'), (null, 'n')") {
      spark.sql("""
        MERGE INTO t USING (SELECT * FROM VALUES (1, 'A'), (2, 'B'), (4, 'D'), (5, 'E'),
            (null, 'N') AS s(id, v)) s ON t.id = s.id
        WHEN MATCHED AND s.id = 2 THEN DELETE
        WHEN MATCHED THEN UPDATE SET *
        WHEN NOT MATCHED AND s.id = 5 THEN INSERT (id, v) VALUES (s.id, 'five')
        WHEN NOT MATCHED THEN INSERT *
        WHEN NOT MATCHED BY SOURCE AND t.id = 3 THEN UPDATE SET v = 'left'
        WHEN NOT MATCHED BY SOURCE THEN DELETE""")
      rows((1, "A"), (1, "A"), (4, "D"), (5, "five"), (null, "N"), (3, "left"))
    }
  }

  test("MERGE that only inserts, and into nothing") {
    withTables("(1, 'a')") {
      spark.sql("""
        MERGE INTO t USING (SELECT * FROM VALUES (1, 'x'), (2, 'y'), (2, 'y') AS s(id, v)) s
        ON t.id = s.id WHEN NOT MATCHED THEN INSERT *""")
      rows((1, "a"), (2, "y"), (2, "y"))
      spark.sql("DELETE FROM t")
      spark.sql("""
        MERGE INTO t USING (SELECT 7 AS id, 's' AS v) s ON t.id = s.id
        WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *""")
      rows((7, "s"))
    }
  }

  test("two source rows for one row of the table are an error, unless it only goes") {
    withTables("(1, 'a'), (2, 'b')") {
      val source = "(SELECT * FROM VALUES (1, 'x'), (1, 'y') AS s(id, v)) s ON t.id = s.id"
      fails(s"MERGE INTO t USING $source WHEN MATCHED THEN UPDATE SET *")(
        "MERGE_CARDINALITY_VIOLATION")
      rows((1, "a"), (2, "b"))
      spark.sql(s"MERGE INTO t USING $source WHEN MATCHED THEN DELETE")
      rows((2, "b"))
    }
  }

  test("whole partitions go without a row being read") {
    createTable("t", "id INT, v STRING", "", "v") // no bitmaps
    spark.sql("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    spark.sql("DELETE FROM t WHERE v = 'a'")
    rows((2, "b"), (3, "c"))
    fails("DELETE FROM t WHERE id = 2")("'deletion-vectors.enabled' = 'true'")
    fails("UPDATE t SET id = 2")("'deletion-vectors.enabled' = 'true'")
    fails("MERGE INTO t USING (SELECT 1 AS id) s ON s.id = t.id WHEN MATCHED THEN DELETE")(
      "it has no primary key and no deletion bitmaps")
    spark.sql("ALTER TABLE t SET TBLPROPERTIES ('deletion-vectors.enabled' = 'true')")
    spark.sql("DELETE FROM t WHERE id = 2")
    rows((3, "c"))
    spark.sql("DELETE FROM t")
    rows()
    spark.sql("DROP TABLE t")
  }

  test("compact merges small files and drops struck-out rows") {
    createTable("t", "id INT, v STRING", "", options = bitmaps)
    (1 to 3).foreach { n =>
      val values = s"VALUES ($n, 'a'), ($n, 'b') AS s(id, v)"
      spark.sql(s"INSERT INTO t SELECT /*+ COALESCE(1) */ * FROM $values")
    }
    spark.sql("DELETE FROM t WHERE v = 'b' AND id < 3")
    checkAnswer(
      spark
        .sql(s"CALL sys.compact(table => '$database.t')")
        .select("partition", "bucket", "files_before", "files_after", "rows_purged"),
      Row("", 0, 3L, 1L, 2L))
    rows((1, "a"), (2, "a"), (3, "a"), (3, "b"))
    assert(files == Seq(4))
    val before = newestSnapshot("t")
    spark.sql(s"CALL sys.compact(table => '$database.t')")
    spark.sql(s"CALL sys.compact(table => '$database.t', compact_strategy => 'minor')")
    assert(newestSnapshot("t") == before)
    spark.sql("DROP TABLE t")
  }

  test("purge rewrites only files with many struck-out rows, with a key or without") {
    Seq("id" -> Map.empty[String, String], "" -> bitmaps).foreach { case (key, options) =>
      createTable("t", "id INT, v STRING", key, options = options)
      spark.sql("INSERT INTO t SELECT id, 'x' FROM range(0, 100, 1, 1)")
      spark.sql("DELETE FROM t WHERE id < 10")
      val before = newestSnapshot("t")
      spark.sql(s"CALL sys.compact(table => '$database.t', strategy => 'purge')")
      assert(newestSnapshot("t") == before && files == Seq(100))
      checkAnswer(
        spark
          .sql(s"CALL sys.compact('$database.t', strategy => 'PURGE', threshold => 0.05)")
          .select("files_before", "files_after", "rows_purged"),
        Row(1L, 1L, 10L))
      assert(files == Seq(90))
      checkAnswer(spark.sql("SELECT count(*), min(id) FROM t"), Row(90, 10))
      spark.sql("DELETE FROM t WHERE id < 40")
      spark.sql(s"CALL sys.compact('$database.t', compact_strategy => 'purge')")
      assert(files == Seq(60))
      spark.sql("DROP TABLE t")
    }
  }

  test("strategies that do not go together are refused") {
    createTable("t", "id INT, v STRING", "")
    def call(arguments: String): String = s"CALL sys.compact('$database.t', $arguments)"
    fails(call("strategy => 'some'"))("should be 'full', 'minor' or 'purge' but is 'some'")
    fails(call("strategy => 'full', compact_strategy => 'full'"))("give one")
    fails(call("strategy => 'full', threshold => 0.1"))("goes with strategy 'purge' only")
    fails(call("strategy => 'purge', threshold => 2"))("should be from 0 to 1 but is 2.0")
    fails(call("strategy => 'purge', threshold => 'much'"))("should be of type DOUBLE")
    spark.sql("DROP TABLE t")
  }
}
