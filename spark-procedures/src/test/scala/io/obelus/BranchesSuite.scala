package io.obelus

import org.apache.spark.sql.Row

/** Branches from SQL: made, written, read, gone forward to, deleted. */
class BranchesSuite extends ObelusSuite {

  private val branch = "`t$branch_b`"

  /** Snapshots 1 to 3 of the table; branch b begins with tag two, which is snapshot 2. */
  private def withBranch(test: String => Unit): Unit = {
    createTable("t", "id INT, v STRING", "id")
    try {
      (1 to 3).foreach(n => spark.sql(s"INSERT INTO t VALUES ($n, 'v$n')"))
      spark.sql(s"CALL sys.create_tag('$database.t', 'two', 2)")
      checkAnswer(
        spark.sql(s"CALL sys.create_branch('$database.t', 'b', tag => 'two')"),
        Row("b", 2L))
      test(s"$database.t")
    } finally spark.sql("DROP TABLE t")
  }

  private def rows(query: String)(rows: (Int, String)*): Unit =
    checkAnswer(spark.sql(s"SELECT id, v FROM $query"), rows.map(Row.fromTuple))

  private def refused(statement: String)(words: String): Unit = {
    val error = intercept[Exception](spark.sql(statement).collect())
    assert(error.getMessage.contains(words))
  }

  test("each kind of statement changes the branch and nothing else") {
    withBranch { _ =>
      rows(branch)(1 -> "v1", 2 -> "v2")
      spark.sql(s"INSERT INTO $branch VALUES (7, 'b'), (8, 'b')")
      spark.sql(s"UPDATE $branch SET v = 'u' WHERE id = 1")
      spark.sql(s"DELETE FROM $branch WHERE id = 8")
      spark.sql(
        s"MERGE INTO $branch b USING t ON b.id = t.id WHEN MATCHED THEN UPDATE SET v = 'm' " +
          "WHEN NOT MATCHED THEN INSERT *")
      rows(branch)(1 -> "m", 2 -> "m", 3 -> "v3", 7 -> "b")
      rows("t")(1 -> "v1", 2 -> "v2", 3 -> "v3")
      rows(s"$branch VERSION AS OF 'two'")(1 -> "v1", 2 -> "v2")
      rows(s"$branch VERSION AS OF 4")(1 -> "u", 2 -> "v2", 7 -> "b", 8 -> "b")
      spark.sql(s"CALL sys.compact('$database.t$$branch_b')")
      rows(branch)(1 -> "m", 2 -> "m", 3 -> "v3", 7 -> "b")
      spark.sql(s"INSERT OVERWRITE $branch VALUES (5, 'o')")
      rows(branch)(5 -> "o")
      rows("t")(1 -> "v1", 2 -> "v2", 3 -> "v3")
    }
  }

  test("a branch has columns and system tables of its own") {
    withBranch { _ =>
      spark.sql(s"ALTER TABLE $branch ADD COLUMN w INT")
      spark.sql(s"INSERT INTO $branch VALUES (7, 'b', 70)")
      checkAnswer(
        spark.table(branch),
        Seq(Row(1, "v1", null), Row(2, "v2", null), Row(7, "b", 70)))
      assert(spark.table("t").columns.toSeq == Seq("id", "v"))
      checkAnswer(
        spark.sql("SELECT snapshot_id FROM `t$branch_b$snapshots`"),
        Seq(Row(2L), Row(3L)))
      checkAnswer(spark.sql("SELECT tag_name FROM `t$branch_b$tags`"), Row("two"))
      checkAnswer(spark.sql("SELECT branch_name FROM `t$branches`"), Row("b"))
      checkAnswer(spark.sql("SELECT count(*) FROM `t$branch_b$files`"), Row(3L))
      checkAnswer(
        spark.sql("SELECT count(*) FROM `t$branch_b$files` VERSION AS OF 'two'"),
        Row(2L))
    }
  }

  test("the option of a reader and of a writer names a branch") {
    withBranch { t =>
      def load = spark.read.format("obelus").option("branch", "b")
      checkAnswer(load.load(t), Seq(Row(1, "v1"), Row(2, "v2")))
      val path = directoryOf("t").toString
      spark
        .sql("SELECT 9 AS id, 'p' AS v")
        .write
        .format("obelus")
        .option("branch", "b")
        .mode("append")
        .save(path)
      checkAnswer(load.load(path), Seq(Row(1, "v1"), Row(2, "v2"), Row(9, "p")))
      checkAnswer(
        load.option("scan.tag-name", "two").load(path),
        Seq(Row(1, "v1"), Row(2, "v2")))
      checkAnswer(spark.read.format("obelus").option("branch", "main").load(t), spark.table("t"))
      checkAnswer(spark.read.option("branch", "b").table(branch), load.load(t))
      val late = intercept[Exception](spark.read.option("branch", "b").table("t").collect())
      assert(late.getMessage.contains("option 'branch' = 'b' comes too late for"))
    }
  }

  test("the table goes forward to its branch") {
    withBranch { t =>
      spark.sql(s"INSERT INTO $branch VALUES (7, 'b')")
      spark.sql(s"CALL sys.create_tag('$t$$branch_b', 'done')")
      spark.sql(s"CALL sys.create_tag('$t', 'own')")
      val gone = Row(3L, 3L, 1L, Seq("own"))
      checkAnswer(spark.sql(s"CALL sys.fast_forward('$t', 'b', dry_run => true)"), gone)
      rows("t")(1 -> "v1", 2 -> "v2", 3 -> "v3")
      checkAnswer(spark.sql(s"CALL sys.fast_forward(table => '$t', branch => 'b')"), gone)
      rows("t")(1 -> "v1", 2 -> "v2", 7 -> "b")
      rows("t VERSION AS OF 'done'")(1 -> "v1", 2 -> "v2", 7 -> "b")
      spark.sql("INSERT INTO t VALUES (8, 't')")
      spark.sql(s"CALL sys.expire_snapshots('$t', retain_max => 1)")
      spark.sql(s"CALL sys.delete_tag('$t$$branch_b', 'two, done')")
      rows(branch)(1 -> "v1", 2 -> "v2", 7 -> "b")
      checkAnswer(spark.sql(s"CALL sys.delete_branch('$t', 'b')"), Row("b"))
      rows("t")(1 -> "v1", 2 -> "v2", 7 -> "b", 8 -> "t")
      refused(s"SELECT * FROM $branch")("t has no branch 'b'; it has none")
    }
  }

  test("what cannot be done to a branch is said") {
    withBranch { t =>
      refused(s"DROP TABLE $branch")("t$branch_b is a branch: no DROP TABLE")
      refused(s"ALTER TABLE $branch RENAME TO x")("is a branch: no ALTER TABLE")
      refused(s"CREATE OR REPLACE TABLE $branch (id INT)")("has a dollar sign")
      refused("SELECT * FROM `t$branch_x`")("t has no branch 'x'; it has b")
      refused(s"CALL sys.create_branch('$t', 'b')")("has a branch 'b' already")
      refused(s"CALL sys.create_branch('$t', '7')")("'7' is no name for a branch")
      refused(s"CALL sys.create_branch('$t', 'c', 'three')")("has no tag 'three'; it has two")
      refused(s"CALL sys.delete_branch('$t', 'b, x')")("has no branch 'x'; it has b")
      refused(s"CALL sys.fast_forward('$t$$branch_b', 'b')")("is a branch; only the table itself")
      rows(branch)(1 -> "v1", 2 -> "v2")
    }
  }
}
