package io.obelus

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.apache.spark.sql.Row

import io.obelus.core.table.inspect.SystemTables

/** System tables in SQL, and their page `docs/system-tables.md`: its statements run. */
class SystemTablesSuite extends ObelusSuite {

  private val page = {
    val here = Path.of("../spark-datasource/docs/system-tables.md")
    Files.readString(if (Files.exists(here)) here else Path.of("spark-datasource/docs/system-tables.md"))
  }

  test("each statement on the page runs") {
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.sales")
    try {
      spark.sql(
        "CREATE TABLE obelus.sales.orders (id INT, v STRING) TBLPROPERTIES ('primary-key' = 'id')")
      spark.sql("INSERT INTO obelus.sales.orders VALUES (1, 'a'), (2, 'b')")
      spark.sql("INSERT INTO obelus.sales.orders VALUES (2, 'B')")
      val statements =
        "(?s)```sql\n(.*?)```".r.findAllMatchIn(page).flatMap(_.group(1).split(";\n")).toSeq
      assert(statements.size > 4)
      statements.foreach { statement =>
        withClue(statement)(spark.sql(statement).collect())
      }
    } finally spark.sql("DROP DATABASE IF EXISTS obelus.sales CASCADE")
  }

  test("each system table is on the page, our own with all columns") {
    SystemTables.names.forEach(name => assert(page.contains(s"\n| `$$$name` |"), name))
    for {
      name <- Seq("deletion_bitmaps", "levels", "file_indexes")
      column <- SystemTables.find(name).get.rowType.names.asScala
    } assert(page.contains(s"\n| `$column` |"), column)
  }

  test("an upsert strikes out rows, and a full compaction clears them away") {
    createTable("t", "id INT, v STRING", "id")
    spark.range(100).selectExpr("CAST(id AS INT) AS id", "'old' AS v").writeTo("t").append()
    spark.range(30).selectExpr("CAST(id AS INT) AS id", "'new' AS v").writeTo("t").append()
    checkAnswer(
      spark.sql("SELECT SUM(struck_out_count), SUM(record_count) FROM `t$deletion_bitmaps`"),
      Row(30L, 100L))
    checkAnswer(
      spark.sql("SELECT SUM(record_count - struck_out_count) FROM `t$levels`"),
      spark.sql("SELECT COUNT(*) FROM t"))
    val before = newestSnapshot("t")
    compactFully("t")
    checkAnswer(spark.sql("SELECT * FROM `t$deletion_bitmaps`"), Seq.empty)
    checkAnswer(
      spark.sql(s"SELECT SUM(struck_out_count) FROM `t$$deletion_bitmaps` VERSION AS OF $before"),
      Row(30L))
    checkAnswer(spark.sql("SELECT COUNT(*), AVG(live_share) FROM `t$levels`"), Row(1L, 1.0))
  }
}
