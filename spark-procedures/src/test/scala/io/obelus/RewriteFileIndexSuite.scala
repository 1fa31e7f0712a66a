package io.obelus

import org.apache.spark.sql.Row

/** Indexes that files get and lose while they stay, from SQL. */
class RewriteFileIndexSuite extends ObelusSuite {

  private def rewritten(arguments: String = ""): Seq[Row] =
    spark.sql(s"CALL sys.rewrite_file_index('$database.t'$arguments)").collect().toSeq

  private def indexes: Set[String] =
    spark
      .sql(
        "SELECT concat_ws(' ', bucket, `partition`, column_name, index_type)" +
          " FROM `t$file_indexes` WHERE why_none IS NULL")
      .collect()
      .map(_.getString(0))
      .toSet

  private def options(change: String): Unit = spark.sql(s"ALTER TABLE t $change")

  test("indexes of files that are there follow the options of the table") {
    createTable("t", "id BIGINT, city STRING, day INT", "id,day", partition = "day")
    try {
      spark.sql(
        "INSERT INTO t SELECT id, concat('c', id % 4), CAST(id % 2 AS INT) FROM range(2000)")
      spark.sql("DELETE FROM t WHERE id % 10 = 0")
      val before = spark.sql("SELECT * FROM t").collect().toSeq
      val snapshot = newestSnapshot("t")
      assert(rewritten().forall(row => row.getLong(3) == 0 && row.getLong(4) == 0))
      assert(newestSnapshot("t") == snapshot)

      options("SET TBLPROPERTIES ('file-index.bitmap.columns' = 'city')")
      assert(indexes.isEmpty)
      checkAnswer(
        spark
          .sql(s"CALL sys.rewrite_file_index('$database.t', where => 'day = 1', dry_run => true)")
          .select("partition", "bucket", "files_rewritten", "index_bytes_after", "added", "removed"),
        Row("day=1", 0, 1L, null, Seq("city: bitmap"), Seq()))
      assert(newestSnapshot("t") == snapshot)
      val done = rewritten(", where => 'day = 1'")
      assert(done.map(_.getLong(3)) == Seq(1) && done.head.getLong(5) > 0)
      assert(newestSnapshot("t") == snapshot + 1)
      assert(indexes == Set("0 {1} city bitmap"))
      assert(rewritten().map(_.getLong(3)).sum == 1)
      assert(indexes == Set("0 {0} city bitmap", "0 {1} city bitmap"))
      checkAnswer(spark.sql("SELECT * FROM t"), before)
      checkAnswer(
        spark.sql("SELECT count(*) FROM t WHERE city = 'c3'"),
        Row(before.count(_.getString(1) == "c3")))

      options("UNSET TBLPROPERTIES ('file-index.bitmap.columns')")
      assert(rewritten().forall(row => row.getLong(5) == 0 && row.getSeq(7) == Seq("city: bitmap")))
      assert(indexes.isEmpty)
      checkAnswer(spark.sql("SELECT * FROM t"), before)
    } finally spark.sql("DROP TABLE t")
  }

  test("where must be about partitions") {
    createTable("t", "id BIGINT, city STRING", "id")
    try {
      val noPartition = intercept[Exception](rewritten(", where => 'id = 1'"))
      assert(noPartition.getMessage.contains("has no partitions"))
    } finally spark.sql("DROP TABLE t")
  }
}
