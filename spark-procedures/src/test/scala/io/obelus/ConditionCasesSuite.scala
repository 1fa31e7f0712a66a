package io.obelus

import java.nio.file.Files

import scala.collection.JavaConverters._

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.sql.Row

/** Conditions: what they select must not depend on statistics, pages, row groups or bitmaps. */
class ConditionCasesSuite extends CaseSuite {

  /** Rows of one commit. */
  private def insert(rows: String*): Unit = run(rows.mkString("INSERT INTO t VALUES ", ",", ""))

  conditions("O-04 bitmaps and row groups") {
    table("t", "id INT, v INT, text STRING", "id", options = Map("file.block-size" -> "256 kb"))
    run("INSERT INTO t SELECT id, id, rpad(md5(CAST(id AS STRING)), 100, 'x') FROM range(0, 40000)")
    settle()
    assert(rowGroups("t").max >= 4)
    run("DELETE FROM t WHERE id BETWEEN 25000 AND 25009")
    for (skipping <- Seq("true", "false")) {
      withSQLConf("spark.sql.parquet.filterPushdown" -> skipping) {
        answer("SELECT id FROM t WHERE v BETWEEN 24990 AND 25019")(
          (24990 to 24999) ++ (25010 to 25019) map (Row(_)): _*)
        count("true")(39990)
        count("v >= 39990")(10)
        count("v < 10")(10)
      }
    }
  }

  /** Number of row groups of each data file below a table's directory. */
  private def rowGroups(name: String): Seq[Int] = {
    val files = Files.walk(directoryOf(name))
    try {
      files.iterator.asScala
        .filter(_.toString.endsWith(".parquet"))
        .map { file =>
          val input =
            HadoopInputFile.fromPath(new Path(file.toUri), spark.sessionState.newHadoopConf())
          val reader = ParquetFileReader.open(input)
          try reader.getRowGroups.size
          finally reader.close()
        }
        .toList
    } finally files.close()
  }

  conditions("O-05 pages that do not line up") {
    table(
      "t",
      "k INT, flag INT, wide STRING",
      "k",
      options = Map("parquet.page.size" -> "2048", "parquet.enable.dictionary" -> "false"))
    run(
      "INSERT INTO t SELECT id, (id div 500) % 2, lpad(CAST(id AS STRING), 200, '0') FROM range(0, 50000)")
    settle()
    run("DELETE FROM t WHERE k % 1000 = 700")
    count("flag = 1")(24950)
    answer(
      """SELECT count(*) FROM (SELECT * FROM t WHERE flag = 1)
        |WHERE flag = 1 AND wide = lpad(CAST(k AS STRING), 200, '0') AND k % 1000 <> 700""".stripMargin)(
      Row(24950L))
    assert(
      spark
        .sql("SELECT * FROM t WHERE flag = 1")
        .collect()
        .count(row =>
          row.getInt(1) == 1 && row.getString(2).toInt == row.getInt(0) && row.getInt(0) % 1000 != 700) ==
        24950)
  }

  conditions("O-06 equality, lists and NULL") {
    table("t", "id INT, c STRING", "id")
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
  }

  conditions("O-07 a file whose columns are all NULL") {
    table("t", "id INT, s STRING, n BIGINT, d DOUBLE", "id")
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

  conditions("O-08 the ends of BIGINT") {
    val min = "-9223372036854775808L"
    val max = "9223372036854775807L"
    table("t", "id INT, v BIGINT", "id")
    insert(s"(1,$min)", "(2,-1)", "(3,0)", "(4,1)", s"(5,$max)", "(6,NULL)")
    ids(s"v = $min")(1)
    ids("v < 0")(1, 2)
    ids(s"v <= $min")(1)
    ids(s"v < $min")()
    ids(s"v > $min")(2, 3, 4, 5)
    ids(s"v >= $min")(1, 2, 3, 4, 5)
    ids("v BETWEEN -1 AND 1")(2, 3, 4)
    ids(s"v <> $min")(2, 3, 4, 5)
    ids(s"v > $max")()
    ids(s"v >= $max")(5)
    ids(s"v < $max")(1, 2, 3, 4)
    ids(s"v IN ($min, $max, 7)")(1, 5)
    ids("v IS NULL")(6)
  }

  conditions("O-09 literals outside what the file holds") {
    for ((of, columns) <- Seq[(Int => String, String)](
        (n => n.toString, "id INT, v BIGINT"),
        (n => s"date_add(DATE '1970-01-01', $n)", "id INT, v DATE"))) {
      table("t", columns, "id")
      insert((10 to 20).map(n => s"($n, ${of(n)})"): _*)
      insert((1 to 5).map(n => s"(10$n, ${of(0)})"): _*)
      count(s"v > ${of(5)}")(11)
      count(s"v >= ${of(0)}")(16)
      count(s"v < ${of(100)}")(16)
      count(s"v = ${of(1000000)}")(0)
      count(s"v >= ${of(21)}")(0)
      count(s"v <= ${of(9)}")(5)
      count(s"v < ${of(0)}")(0)
      count(s"v <> ${of(1000000)}")(16)
      count(s"v > ${of(-1000000)}")(16)
      count(s"v = ${of(0)}")(5)
      count(s"v = ${of(15)}")(1)
      count(s"v BETWEEN ${of(12)} AND ${of(14)}")(3)
    }
  }

  conditions("O-09 a literal below the first of 25,000 different values") {
    table("t", "id INT, v BIGINT", "id")
    run("INSERT INTO t SELECT id, id + 1000 FROM range(0, 25000)")
    count("v = 5")(0)
    count("v < 1000")(0)
    count("v >= 5")(25000)
    count("v <> 5")(25000)
    count("v = 25999")(1)
  }

  conditions("O-10 conditions and bitmaps together") {
    table("t", "id INT, c STRING", "id")
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
    count("true")(0)
  }

  conditions("O-11 OR, AND and NOT") {
    table("t", "id INT, a INT, b INT, c INT", "id")
    insert("(1,1,9,10)", "(2,2,2,20)", "(3,1,2,30)", "(4,3,5,40)", "(5,NULL,2,NULL)")
    ids("a = 1 OR b = 2")(1, 2, 3, 5)
    ids("a = 1 OR c > 30")(1, 3, 4)
    ids("(a = 2 AND b = 2) OR c IS NULL")(2, 5)
    ids("NOT (a = 1 OR b = 2)")(4)
    ids("a <> 1 AND c <= 20")(2)
    ids("a IN (1,3) AND c > 10 AND b < 9")(3, 4)
  }

  conditions("O-25 time stamps") {
    table("t", "id INT, ts TIMESTAMP, tn TIMESTAMP_NTZ", "id")
    insert(
      Seq("1969-12-31 23:59:59.999999", "1970-01-01 00:00:00", "2024-02-29 12:00:00.123456").zipWithIndex
        .map { case (time, i) => s"(${i + 1}, TIMESTAMP '$time', TIMESTAMP_NTZ '$time')" } :+
        "(4,NULL,NULL)": _*)
    for ((column, literal) <- Seq("ts" -> "TIMESTAMP", "tn" -> "TIMESTAMP_NTZ")) {
      ids(s"$column = $literal '1969-12-31 23:59:59.999999'")(1)
      ids(s"$column < $literal '1970-01-01 00:00:00'")(1)
      ids(s"$column >= $literal '2024-02-29 12:00:00.123'")(3)
      ids(s"$column > $literal '2024-02-29 12:00:00.123456'")()
      answer(s"SELECT CAST(CAST($column AS DATE) AS STRING) FROM t WHERE id = 1")(Row("1969-12-31"))
      ids(s"$column IS NULL")(4)
    }
    withSQLConf("spark.sql.session.timeZone" -> "Asia/Shanghai") {
      answer("SELECT CAST(ts AS STRING), CAST(tn AS STRING) FROM t WHERE id = 2")(
        Row("1970-01-01 08:00:00", "1970-01-01 00:00:00"))
      ids("ts = TIMESTAMP '1970-01-01 08:00:00'")(2)
      ids("tn = TIMESTAMP_NTZ '1970-01-01 00:00:00'")(2)
      ids("tn < TIMESTAMP_NTZ '1970-01-01 00:00:00'")(1)
    }
  }

  conditions("O-29 NaN, minus zero, infinity") {
    table("t", "id INT, d DOUBLE, s STRING", "id")
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

  conditions("a column with a dot in its name is no field of a struct") {
    table("t", "id INT, `a.b` STRING, `a.c` INT, `a.d` BIGINT, a STRUCT<b: STRING, c: INT>", "id")
    insert(
      "(1,'x',1,1,named_struct('b','p','c',10))",
      "(2,'y',2,2,NULL)",
      "(3,NULL,NULL,NULL,named_struct('b','x','c',1))")
    for ((column, one, two) <- Seq(("`a.b`", "'x'", "'y'"), ("`a.c`", "1", "2"), ("`a.d`", "1", "2"))) {
      ids(s"$column = $one")(1)
      ids(s"$column >= $one")(1, 2)
      ids(s"$column IN ($two, $one)")(1, 2)
      ids(s"$column IS NULL")(3)
      ids(s"$column IS NOT NULL AND $column <> $one")(2)
    }
    ids("`a.b` LIKE 'x%'")(1)
    ids("a.b = 'x'")(3)
    ids("a.c > 1")(1)
    run("UPDATE t SET `a.c` = 5 WHERE `a.b` = 'y'")
    run("DELETE FROM t WHERE `a.b` = 'x'")
    ids("`a.c` = 5")(2)
    ids("true")(2, 3)
  }
}
