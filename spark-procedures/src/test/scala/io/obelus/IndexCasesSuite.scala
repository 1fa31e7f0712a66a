package io.obelus

import java.nio.file.Files

import scala.collection.JavaConverters._

import org.apache.spark.sql.Row

/**
 * Conditions on indexed columns. Files carry no statistics, so that indexes alone decide what is
 * left out; ConditionCasesSuite has the same cases without indexes.
 */
class IndexCasesSuite extends CaseSuite {

  private def indexed(words: String)(body: => Unit): Unit =
    behaviour(words, ways :+ IndexesUnread)(body)

  /** A case for several kinds of index: the first in all ways, the others in one. */
  private def indexedBy(words: String, kinds: String*)(body: String => Unit): Unit =
    for (kind <- kinds) {
      val of = if (kind == kinds.head) ways :+ IndexesUnread else Seq(Straight)
      behaviour(s"$words, $kind index", of)(body(kind))
    }

  /** `t` with indexes, such as "bitmap" -> "c", and further options. */
  private def indexedTable(columns: String, key: String, options: (String, String)*)(
      indexes: (String, String)*): Unit = {
    val asked = indexes.map { case (kind, of) => s"file-index.$kind.columns" -> of }
    table(
      "t",
      columns,
      key,
      options = Map("metadata.stats-mode" -> "none") ++ asked ++ options)
  }

  /** Rows of one commit. */
  private def insert(rows: String*): Unit = run(rows.mkString("INSERT INTO t VALUES ", ",", ""))

  /** Names of the index files below the directory of `t`. */
  private def indexFiles(): Set[String] = {
    val files = Files.walk(directoryOf("t"))
    try files.iterator.asScala.map(_.getFileName.toString).filter(_.endsWith(".index")).toSet
    finally files.close()
  }

  indexed("O-05 pages that do not line up, bitmap index") {
    indexedTable(
      "k INT, flag INT, wide STRING",
      "k",
      "parquet.page.size" -> "2048",
      "parquet.enable.dictionary" -> "false")("bitmap" -> "flag")
    run(
      "INSERT INTO t SELECT id, (id div 500) % 2, lpad(CAST(id AS STRING), 200, '0') FROM range(0, 50000)")
    settle()
    run("DELETE FROM t WHERE k % 1000 = 700")
    count("flag = 1")(24950)
    answer(
      """SELECT count(*) FROM (SELECT * FROM t WHERE flag = 1)
        |WHERE flag = 1 AND wide = lpad(CAST(k AS STRING), 200, '0') AND k % 1000 <> 700""".stripMargin)(
      Row(24950L))
  }

  indexedBy("O-06 equality, lists and NULL", "bitmap", "range-bitmap", "bloom-filter") { kind =>
    indexedTable("id INT, c STRING", "id")(kind -> "c")
    insert("(1,'a')", "(2,'b')", "(3,NULL)", "(4,'a')", "(5,'c')")
    ids("c = 'a'")(1, 4)
    ids("c <> 'a'")(2, 5)
    ids("c NOT IN ('a','b')")(5)
    ids("c IN ('a', NULL)")(1, 4)
    ids("c NOT IN ('a', NULL)")()
    ids("c IS NULL")(3)
    ids("c IS NOT NULL")(1, 2, 4, 5)
    ids("c <=> NULL")(3)
    ids("NOT (c <=> 'a')")(2, 3, 5)
    ids("c = 'zzz'")()
    ids("c <> 'zzz'")(1, 2, 4, 5)
    ids("c LIKE 'a%'")(1, 4)
    ids("c > 'a'")(2, 5)
    insert("(3,'d')") // no NULL any more
    ids("c IS NULL")()
    ids("c <> 'a'")(2, 3, 5)
    insert("(1,NULL)", "(2,NULL)") // many
    ids("c IS NULL")(1, 2)
    ids("c = 'a'")(4)
    ids("c NOT IN ('a')")(3, 5)
  }

  indexed("O-07 a file whose indexed columns are all NULL") {
    indexedTable("id INT, s STRING, n BIGINT, d DOUBLE", "id")(
      "bitmap" -> "s",
      "bsi" -> "n",
      "bloom-filter" -> "d",
      "range-bitmap" -> "n, s")
    insert((1 to 5).map(id => s"($id,NULL,NULL,NULL)"): _*)
    Seq("s", "n", "d").foreach { c =>
      ids(s"$c IS NULL")(1 to 5: _*)
      ids(s"$c IS NOT NULL")()
    }
    Seq("s = 'x'", "n > 0", "n < 0", "d = 1.0").foreach(ids(_)())
    insert("(6,'x',1,1.0)")
    Seq("s = 'x'", "n > 0", "d = 1.0").foreach(ids(_)(6))
    ids("s IS NULL")(1 to 5: _*)
  }

  indexedBy("O-08 the ends of BIGINT", "bsi", "bitmap", "range-bitmap") { kind =>
    val min = "-9223372036854775808L"
    val max = "9223372036854775807L"
    indexedTable("id INT, v BIGINT", "id")(kind -> "v")
    insert(s"(1,$min)", "(2,-1)", "(3,0)", "(4,1)", s"(5,$max)", "(6,NULL)")
    ids(s"v = $min")(1)
    ids("v < 0")(1, 2)
    ids(s"v > $min")(2, 3, 4, 5)
    ids(s"v < $min")()
    ids(s"v <> $min")(2, 3, 4, 5)
    ids(s"v > $max")()
    ids(s"v < $max")(1, 2, 3, 4)
    ids(s"v IN ($min, $max, 7)")(1, 5)
    ids("v BETWEEN -1 AND 1")(2, 3, 4)
    ids("v IS NULL")(6)
  }

  indexed("O-10 an index and bitmaps together") {
    indexedTable("id INT, c STRING", "id")("bitmap" -> "c")
    insert((1 to 6).map(id => s"($id,'x')") ++ Seq("(7,'y')", "(8,'y')"): _*)
    settle()
    run("DELETE FROM t WHERE id IN (2, 5)")
    ids("c = 'x'")(1, 3, 4, 6)
    count("c = 'x'")(4)
    val limited = spark.sql("SELECT id FROM t WHERE c = 'x' LIMIT 3").collect().map(_.getInt(0)).toSet
    assert(limited.size == 3 && limited.subsetOf(Set(1, 3, 4, 6)))
    ids("c = 'y'")(7, 8)
    run("UPDATE t SET c = 'y' WHERE id = 3")
    ids("c = 'x'")(1, 4, 6)
    ids("c = 'y'")(3, 7, 8)
    run("DELETE FROM t")
    ids("c = 'x'")()
    ids("c = 'y'")()
  }

  indexed("O-11 OR, AND and NOT over indexed and unindexed columns") {
    indexedTable("id INT, a INT, b INT, c INT", "id")("bitmap" -> "a", "bsi" -> "c")
    insert("(1,1,9,10)", "(2,2,2,20)", "(3,1,2,30)", "(4,3,5,40)", "(5,NULL,2,NULL)")
    ids("a = 1 OR b = 2")(1, 2, 3, 5)
    ids("a = 1 OR c > 30")(1, 3, 4)
    ids("(a = 2 AND b = 2) OR c IS NULL")(2, 5)
    ids("NOT (a = 1 OR b = 2)")(4)
    ids("a <> 1 AND c <= 20")(2)
    ids("a IN (1,3) AND c > 10 AND b < 9")(3, 4)
  }

  indexedBy("O-25 time stamps", "bitmap", "bsi", "range-bitmap", "bloom-filter") { kind =>
    indexedTable("id INT, ts TIMESTAMP, tn TIMESTAMP_NTZ", "id")(kind -> "ts, tn")
    insert(
      Seq("1969-12-31 23:59:59.999999", "1970-01-01 00:00:00", "2024-02-29 12:00:00.123456").zipWithIndex
        .map { case (time, i) => s"(${i + 1}, TIMESTAMP '$time', TIMESTAMP_NTZ '$time')" } :+
        "(4,NULL,NULL)": _*)
    for ((column, literal) <- Seq("ts" -> "TIMESTAMP", "tn" -> "TIMESTAMP_NTZ")) {
      ids(s"$column = $literal '1969-12-31 23:59:59.999999'")(1)
      ids(s"$column < $literal '1970-01-01 00:00:00'")(1)
      ids(s"$column >= $literal '2024-02-29 12:00:00.123'")(3)
      ids(s"$column > $literal '2024-02-29 12:00:00.123456'")()
      ids(s"$column IS NULL")(4)
    }
  }

  indexedBy("O-29 NaN, minus zero, infinity", "bloom-filter", "bitmap", "range-bitmap") { kind =>
    indexedTable("id INT, d DOUBLE, s STRING", "id")(kind -> "d")
    insert(
      Seq("'NaN'", "0.0", "'-0.0'", "1.5", "NULL", "'Infinity'", "'-Infinity'").zipWithIndex
        .map { case (d, i) => s"(${i + 1}, CAST($d AS DOUBLE), 'x')" }: _*)
    ids("d = CAST('NaN' AS DOUBLE)")(1)
    ids("isnan(d)")(1)
    ids("d > 1.0")(1, 4, 6)
    ids("d = 0.0")(2, 3)
    ids("d = CAST('-0.0' AS DOUBLE)")(2, 3)
    ids("d < 0")(7)
    ids("d >= CAST('Infinity' AS DOUBLE)")(1, 6)
    ids("d <> 0.0")(1, 4, 6, 7)
    ids("d BETWEEN -1 AND 1")(2, 3)
    ids("d IS NULL")(5)
    ids("s = 'x'")(1 to 7: _*)
    answer("SELECT isnan(max(d)), min(d) FROM t")(Row(true, Double.NegativeInfinity))
  }

  /** What is wrong with options of indexes, and the words of which the message must have each. */
  private val wrong = Seq(
    Seq("file-index.bitmap.columns" -> "d") -> Seq("'d'", "DECIMAL(9, 2)", "bitmap", "bsi"),
    Seq("file-index.bsi.columns" -> "c") -> Seq("file-index.bsi.columns", "'c'", "bitmap"),
    Seq("file-index.bloom-filter.columns" -> "b") -> Seq("'b'", "BOOLEAN", "bloom-filter"),
    Seq("file-index.range-bitmap.columns" -> "a") -> Seq("'a'", "ARRAY", "range-bitmap"),
    Seq("file-index.bitmap.columns" -> "nowhere") -> Seq("'nowhere'", "not there", "id, c"),
    Seq("file-index.bitmap.columns" -> "c,,id") -> Seq("file-index.bitmap.columns", "commas"),
    Seq("file-index.btree.columns" -> "c") -> Seq("'btree'", "bitmap", "bloom-filter"),
    Seq("file-index.bitmap.columns" -> "c", "file-index.bitmap.c.version" -> "3") ->
      Seq("file-index.bitmap.c.version", "1 or 2", "'3'"),
    Seq("file-index.bitmap.columns" -> "c", "file-index.bitmap.c.fpp" -> "0.1") ->
      Seq("file-index.bitmap.c.fpp", "not known", "index-block-size"),
    Seq("file-index.bloom-filter.c.fpp" -> "0.1") ->
      Seq("file-index.bloom-filter.c.fpp", "file-index.bloom-filter.columns"))

  private val columns = "id INT, c STRING, d DECIMAL(9, 2), b BOOLEAN, a ARRAY<INT>"

  test("O-29 a table with wrong options of indexes is not created") {
    for ((options, words) <- wrong) {
      val error = intercept[Exception](createTable("refused", columns, "id", options = options.toMap))
      words.foreach(word => assert(says(error, word), s"no $word in ${causes(error)}"))
      assert(!spark.catalog.tableExists(s"obelus.$database.refused"))
    }
  }

  test("O-29 wrong options of indexes are not set") {
    createTable("t", columns, "id")
    try {
      for ((options, words) <- wrong) {
        val properties = options.map { case (k, v) => s"'$k' = '$v'" }.mkString(", ")
        val error = intercept[Exception](spark.sql(s"ALTER TABLE t SET TBLPROPERTIES ($properties)"))
        words.foreach(word => assert(says(error, word), s"no $word in ${causes(error)}"))
      }
    } finally spark.sql("DROP TABLE t")
  }

  indexed("O-30 schema evolution with indexes") {
    indexedTable("id INT, a INT", "id")("bitmap" -> "a")
    insert("(1,1)", "(2,NULL)")
    run("ALTER TABLE t ADD COLUMN b INT")
    run("ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'a,b')")
    insert("(3,3,30)", "(4,4,NULL)")
    ids("b IS NULL")(1, 2, 4)
    ids("b IS NOT NULL")(3)
    ids("b = 30")(3)
    ids("b <> 30")()
    ids("b <=> NULL")(1, 2, 4)
    run("ALTER TABLE t RENAME COLUMN b TO bb")
    ids("bb = 30")(3)
    run("ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'bb')")
    run("ALTER TABLE t DROP COLUMN a")
    run("ALTER TABLE t ADD COLUMN a STRING")
    run("ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'a,bb')")
    ids("a IS NULL")(1, 2, 3, 4)
    ids("a = '1'")()
    run("ALTER TABLE t ALTER COLUMN bb TYPE BIGINT")
    ids("bb = 30")(3)
    ids("bb IS NULL")(1, 2, 4)
    insert("(5,50,'1')")
    ids("bb IN (30, 50)")(3, 5)
    ids("a = '1'")(5)
    count("a = '1'")(1)
  }

  indexed("O-30 indexes asked for later are in new files") {
    table("t", "id INT, a INT, b INT", "id")
    insert("(1,1,NULL)", "(2,NULL,NULL)")
    assert(indexFiles().isEmpty)
    run(
      """ALTER TABLE t SET TBLPROPERTIES (
        |'file-index.bitmap.columns' = 'b', 'file-index.in-manifest-threshold' = '0 b')""".stripMargin)
    insert("(3,3,30)", "(4,4,NULL)")
    assert(indexFiles().nonEmpty)
    ids("b IS NULL")(1, 2, 4)
    ids("b IS NOT NULL")(3)
    ids("b = 30")(3)
    ids("b <> 30")()
    ids("b <=> NULL")(1, 2, 4)
    val before = indexFiles()
    run("ALTER TABLE t UNSET TBLPROPERTIES ('file-index.bitmap.columns')")
    insert("(5,5,50)")
    ids("b = 50")(5)
    ids("b = 30")(3)
    assert(indexFiles().subsetOf(before))
  }
}
