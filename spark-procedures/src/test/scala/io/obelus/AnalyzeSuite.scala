package io.obelus

import java.nio.file.Files

import scala.collection.JavaConverters._

import io.obelus.testing.DamagesTables
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.plans.logical.{ColumnStat, Statistics}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** ANALYZE TABLE: what is kept, for how long, and what the optimizer makes of it. */
@DamagesTables(value = "one test damages statistics", finds = Array("snapshot"))
class AnalyzeSuite extends ObelusSuite {

  private val columns =
    """id BIGINT NOT NULL, d DATE, p DECIMAL(8,2), f DOUBLE, b BOOLEAN, v STRING, t TIMESTAMP_NTZ,
      |z TIMESTAMP, s SMALLINT, x BINARY, a ARRAY<INT>""".stripMargin

  private def withTable(test: => Unit): Unit = {
    createTable("t", columns, "id")
    try {
      spark.sql("""INSERT INTO t SELECT id, date_add(DATE '2024-01-01', CAST(id % 3 AS INT)), id / 4,
        IF(id = 7, DOUBLE('NaN'), id), id % 2 = 0, IF(id % 10 = 0, NULL, concat('v', id)),
        TIMESTAMP_NTZ '2024-02-29 17:45:36.5', TIMESTAMP '2024-02-29 17:45:36', 3, binary('ab'), array(1)
        FROM range(100)""")
      spark.sql("DELETE FROM t WHERE id >= 90")
      test
    } finally spark.sql("DROP TABLE IF EXISTS t")
  }

  private def statistics(query: String): Statistics =
    spark.sql(query).queryExecution.optimizedPlan.collectFirst {
      case relation: DataSourceV2ScanRelation => relation.stats
    }.get

  private def ofColumns(query: String): Map[String, ColumnStat] =
    statistics(query).attributeStats.map { case (column, stat) => column.name -> stat }.toMap

  private def fails(statement: String)(words: String): Unit = {
    val error = intercept[Exception](spark.sql(statement).collect())
    assert(error.getMessage.contains(words), error)
  }

  test("rows are counted in a snapshot of its own") {
    withTable {
      assert(spark.sql("SELECT * FROM `t$statistics`").isEmpty)
      assert(spark.sql("ANALYZE TABLE t COMPUTE STATISTICS").isEmpty)
      checkAnswer(
        spark.sql("SELECT snapshot_id, schema_id, mergedRecordCount, colstat FROM `t$statistics`"),
        Row(2L, 0L, 90L, "{ }"))
      assert(spark.sql("SELECT mergedRecordSize FROM `t$statistics`").head.getLong(0) > 100)
      checkAnswer(
        spark.sql("SELECT commit_kind, delta_record_count FROM `t$snapshots` WHERE snapshot_id = 3"),
        Row("ANALYZE", 0L))
      assert(spark.table("t").count() == 90)
      assert(statistics("SELECT * FROM t").rowCount.contains(BigInt(90)))
      assert(ofColumns("SELECT * FROM t").isEmpty)
      checkAnswer(spark.sql(s"CALL sys.verify('$database.t', 'full')"), Seq.empty)
    }
  }

  test("columns are known to the optimizer") {
    withTable {
      spark.sql("ANALYZE TABLE t COMPUTE STATISTICS FOR ALL COLUMNS")
      val known = ofColumns("SELECT * FROM t")
      assert(known.keySet == Set("id", "d", "p", "f", "b", "v", "t", "z", "s", "x"))
      assert(known("id").min.contains(0L) && known("id").max.contains(89L))
      assert(known("id").distinctCount.get >= 80 && known("id").distinctCount.get <= 90)
      assert(known("d").min.contains(19723) && known("d").max.contains(19725))
      assert(known("d").distinctCount.contains(BigInt(3)) && known("d").nullCount.contains(BigInt(0)))
      assert(known("p").max.get.toString == "22.25")
      assert(known("f").min.contains(0.0) && known("f").max.isEmpty) // NaN is no bound
      assert(known("b").min.contains(false) && known("b").max.contains(true))
      assert(known("v").nullCount.contains(BigInt(9)) && known("v").min.isEmpty)
      assert(known("v").maxLen.contains(3L) && known("v").avgLen.contains(3L))
      assert(known("t").min.contains(1709228736500000L) && known("z").max.contains(1709228736000000L))
      assert(known("s").max.contains(3.toShort) && known("x").maxLen.contains(2L))
      // fewer rows: no more different values and no more nulls than there are rows
      spark.sql("DELETE FROM t WHERE id > 9")
      val fewer = ofColumns("SELECT * FROM t")
      assert(fewer("id").distinctCount.contains(BigInt(10)))
      assert(fewer("v").nullCount.contains(BigInt(1)))
    }
  }

  test("a join is planned by them") {
    withTable {
      spark.sql("ANALYZE TABLE t COMPUTE STATISTICS FOR COLUMNS D, id")
      assert(ofColumns("SELECT * FROM t").keySet == Set("d", "id"))
      withSQLConf("spark.sql.cbo.enabled" -> "true") {
        val grouped = spark.sql("SELECT d, count(*) FROM t GROUP BY d").queryExecution.optimizedPlan
        assert(grouped.stats.rowCount.contains(BigInt(3)))
      }
    }
  }

  test("statistics are handed on until the columns change, and each snapshot has its own") {
    withTable {
      spark.sql("ANALYZE TABLE t COMPUTE STATISTICS FOR COLUMNS id")
      spark.sql("INSERT INTO t (id) VALUES (500)")
      assert(ofColumns("SELECT * FROM t").keySet == Set("id"))
      checkAnswer(spark.sql("SELECT snapshot_id FROM `t$statistics`"), Row(2L))
      spark.sql("ALTER TABLE t ADD COLUMN more INT")
      assert(ofColumns("SELECT * FROM t").isEmpty)
      spark.sql("INSERT INTO t (id) VALUES (501)")
      assert(spark.sql("SELECT * FROM `t$statistics`").isEmpty)
      checkAnswer(spark.sql("SELECT snapshot_id FROM `t$statistics` VERSION AS OF 4"), Row(2L))
      assert(ofColumns("SELECT * FROM t VERSION AS OF 4").keySet == Set("id"))
      spark.sql("ALTER TABLE t RENAME COLUMN more TO most")
      spark.sql("ANALYZE TABLE t COMPUTE STATISTICS FOR COLUMNS most, id")
      assert(ofColumns("SELECT * FROM t")("most").nullCount.contains(BigInt(92)))
    }
  }

  test("a branch has its own, and what is lost or damaged is done without") {
    withTable {
      spark.sql(s"CALL sys.create_tag('$database.t', 'one')")
      spark.sql(s"CALL sys.create_branch('$database.t', 'b', 'one')")
      spark.sql("ANALYZE TABLE `t$branch_b` COMPUTE STATISTICS FOR COLUMNS id")
      assert(ofColumns("SELECT * FROM `t$branch_b`").keySet == Set("id"))
      assert(ofColumns("SELECT * FROM t").isEmpty)
      val files = Files.list(directoryOf("t").resolve("statistics")).iterator.asScala.toList
      assert(files.size == 1)
      Files.writeString(files.head, "{ }")
      assert(ofColumns("SELECT * FROM `t$branch_b`").isEmpty)
      fails("SELECT * FROM `t$branch_b$statistics`")("key 'schemaId'")
      Files.delete(files.head)
      assert(ofColumns("SELECT * FROM `t$branch_b`").isEmpty)
      assert(spark.sql("SELECT * FROM `t$branch_b`").count() == 90)
    }
  }

  test("what cannot be done is said") {
    withTable {
      fails("ANALYZE TABLE t COMPUTE STATISTICS NOSCAN")("NOSCAN cannot be had")
      fails("ANALYZE TABLE t PARTITION (d = 1) COMPUTE STATISTICS")("PARTITION cannot be had")
      fails("ANALYZE TABLE t COMPUTE STATISTICS FOR COLUMNS id, y")("has no column 'y'; it has id, d,")
      fails("ANALYZE TABLE t COMPUTE STATISTICS FOR COLUMNS a")("column 'a'")
      fails("ANALYZE TABLE `t$ro` COMPUTE STATISTICS")("t$ro")
      fails("ANALYZE TABLE `t$files` COMPUTE STATISTICS")("v2 tables")
      fails("ANALYZE TABLE nowhere COMPUTE STATISTICS")("nowhere")
      assert(newestSnapshot("t") == 2)
    }
    createTable("empty", "a INT", "")
    spark.sql("ANALYZE TABLE empty COMPUTE STATISTICS FOR ALL COLUMNS")
    assert(newestSnapshot("empty") == 0)
    spark.range(3).createOrReplaceTempView("empty")
    try fails("ANALYZE TABLE empty COMPUTE STATISTICS")("view")
    finally spark.catalog.dropTempView("empty")
    spark.sql("CREATE TABLE spark_catalog.default.file (a INT) USING parquet")
    try spark.sql("ANALYZE TABLE spark_catalog.default.file COMPUTE STATISTICS FOR ALL COLUMNS")
    finally spark.sql("DROP TABLE spark_catalog.default.file")
  }
}
