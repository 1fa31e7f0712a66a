package io.obelus

import org.apache.spark.sql.{DataFrame, Row}

/** What lies between two snapshots, by options and by table functions. */
class IncrementalSuite extends ObelusSuite {

  /**
   * Snapshot 1 has keys 1 to 3; 2 updates 1 and inserts 4; 3 deletes 2; 4 compacts. Tag two is 2.
   */
  private def withTable(test: String => Unit): Unit = {
    createTable("t", "id INT, v STRING, s STRUCT<a: INT, b: ARRAY<INT>>", "id")
    try {
      val nested = "named_struct('a', 1, 'b', array(1))"
      spark.sql(s"INSERT INTO t VALUES (1, 'a', $nested), (2, 'b', NULL), (3, 'c', $nested)")
      spark.sql(s"INSERT INTO t VALUES (1, 'A', $nested), (4, 'd', NULL), (3, 'c', $nested)")
      spark.sql(s"CALL sys.create_tag('$database.t', 'two')")
      spark.sql("DELETE FROM t WHERE id = 2")
      compactFully("t")
      assert(snapshotIds("t") == (1 to 4))
      test(s"$database.t")
    } finally spark.sql("DROP TABLE t")
  }

  private def between(range: String): DataFrame =
    spark.read.option("incremental-between", range).table("t").select("id", "v")

  private def refused(query: => DataFrame)(words: String): Unit = {
    val error = intercept[Exception](query.collect())
    assert(error.getMessage.contains(words))
  }

  test("an option reads the rows that were inserted or updated between two snapshots") {
    withTable { t =>
      checkAnswer(between("1,4"), Seq(Row(1, "A"), Row(4, "d")))
      checkAnswer(between("0,1"), Seq(Row(1, "a"), Row(2, "b"), Row(3, "c")))
      checkAnswer(between("1, two"), Seq(Row(1, "A"), Row(4, "d")))
      checkAnswer(between("two,4"), Seq())
      checkAnswer(between("1,4").where("id > 1 AND v = 'd'"), Row(4, "d"))
      checkAnswer(between("1,4").selectExpr("count(*)"), Row(2L))
      val load = spark.read.format("obelus").option("incremental-between", "1,4")
      checkAnswer(load.load(directoryOf("t").toString).select("s.a"), Seq(Row(1), Row(null)))
      assert(load.load(t).columns.toSeq == Seq("id", "v", "s"))
    }
  }

  test("the changes table says what became of each row") {
    withTable { t =>
      val changes = spark.read.option("incremental-between", "1,4").table("`t$changes`")
      assert(changes.columns.toSeq == Seq("_row_kind", "id", "v", "s"))
      checkAnswer(
        changes.select("v", "_row_kind", "id"),
        Seq(Row("a", "-U", 1), Row("A", "+U", 1), Row("b", "-D", 2), Row("d", "+I", 4)))
      checkAnswer(
        changes.groupBy("_row_kind").count(),
        Seq(Row("-U", 1L), Row("+U", 1L), Row("-D", 1L), Row("+I", 1L)))
      refused(spark.table("`t$changes`"))("t$changes shows what lies between two snapshots")
      refused(spark.sql("SELECT * FROM `t$changes` VERSION AS OF 2"))("give option")
    }
  }

  test("table functions do the same in SQL") {
    withTable { t =>
      val query = s"SELECT id, v FROM obelus_incremental_query('$t', 1, 4)"
      checkAnswer(spark.sql(query), Seq(Row(1, "A"), Row(4, "d")))
      checkAnswer(
        spark.sql(s"SELECT q.id FROM obelus_incremental_query('t', 'two', '4') q JOIN t USING (id)"),
        Seq())
      checkAnswer(
        spark.sql(
          s"SELECT _row_kind, id FROM obelus_incremental_changes('obelus.$t', 1, 'two') WHERE id > 1"),
        Seq(Row("+I", 4)))
      val times = spark
        .sql("SELECT unix_millis(CAST(commit_time AS TIMESTAMP)) FROM `t$snapshots` ORDER BY 1")
        .collect()
        .map(_.getLong(0))
      checkAnswer(
        spark.sql(
          s"SELECT id FROM obelus_incremental_between_timestamp('$t', ${times(0)}L, ${times(3)}L)"),
        Seq(Row(1), Row(4)))
      checkAnswer(
        spark.sql(
          s"SELECT id FROM obelus_incremental_between_timestamp('$t', '1999-01-01', '2999-01-01')"),
        Seq(Row(1), Row(3), Row(4)))
      refused(spark.sql(s"SELECT * FROM obelus_incremental_query('$t', 1)"))(
        "obelus_incremental_query takes a table's name, a start and an end")
      refused(spark.sql(s"SELECT * FROM obelus_incremental_query('$t', 1, 9)"))("has no snapshot 9")
    }
  }

  test("a branch has changes of its own") {
    withTable { t =>
      spark.sql(s"CALL sys.create_branch('$t', 'b', 'two')")
      spark.sql("INSERT INTO `t$branch_b` VALUES (9, 'x', NULL)")
      checkAnswer(
        spark.sql(s"SELECT _row_kind, id FROM obelus_incremental_changes('$t$$branch_b', 'two', 3)"),
        Row("+I", 9))
    }
  }

  test("ends that make no sense are refused by name") {
    withTable { _ =>
      refused(between("4,1"))("option 'incremental-between' should be from an earlier snapshot")
      refused(between("1"))("option 'incremental-between' should be two ends")
      refused(between("one,4"))("version 'one' should be a tag or the number of a snapshot")
      refused(spark.read.option("incremental-between", "1,2").option("scan.snapshot-id", "1").table("t"))(
        "give one of them")
      refused(
        spark.read
          .option("incremental-between", "1,2")
          .option("incremental-between-scan-mode", "delta")
          .table("t"))("option 'incremental-between-scan-mode' should be diff")
      refused(spark.read.option("incremental-between", "1,2").table("`t$ro`"))(
        "option 'incremental-between' cannot be set")
    }
  }
}
