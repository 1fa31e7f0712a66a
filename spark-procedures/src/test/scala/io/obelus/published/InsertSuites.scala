package io.obelus.published

import java.nio.file.Files

import io.obelus.ObelusSession
import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, SaveMode}
import org.apache.spark.sql.connector.InsertIntoTests

/** INSERT INTO and INSERT OVERWRITE of Spark's suites, on append-only tables of our catalog. */
abstract class SparkInsertSuite extends InsertIntoTests(true, true) with PublishedSuite {

  override protected def leftOut: Map[String, String] = Map(
    "insertInto: fails when" -> "expects the catalog's name in the message")

  override protected val catalogAndNamespace: String = "obelus.db."

  override protected val v2Format: String = "obelus"

  override protected def sparkConf: SparkConf = {
    val lake = Files.createTempDirectory(ObelusSession.warehouse, "inserts")
    super.sparkConf
      .set("spark.sql.catalog.spark_catalog", "io.obelus.spark.ObelusSessionCatalog")
      .set("spark.sql.catalog.obelus", "io.obelus.spark.ObelusCatalog")
      .set("spark.sql.catalog.obelus.warehouse", lake.toString)
  }

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    spark.sql("CREATE DATABASE obelus.db")
  }

  override protected def afterEach(): Unit = {
    try {
      spark.sql("SHOW TABLES IN obelus.db").collect().foreach { row =>
        spark.sql(s"DROP TABLE obelus.db.`${row.getString(1)}`")
      }
    } finally super.afterEach()
  }

  override def verifyTable(tableName: String, expected: DataFrame): Unit =
    checkAnswer(spark.table(tableName), expected)
}

/** Through SQL. */
class SparkSqlInsertSuite extends SparkInsertSuite {

  override protected def doInsert(tableName: String, insert: DataFrame, mode: SaveMode): Unit = {
    val view = "tmp_view"
    withTempView(view) {
      insert.createOrReplaceTempView(view)
      val overwrite = if (mode == SaveMode.Overwrite) "OVERWRITE" else "INTO"
      sql(s"INSERT $overwrite TABLE $tableName SELECT * FROM $view")
    }
  }
}

/** Through DataFrameWriter.insertInto. */
class SparkFrameInsertSuite extends SparkInsertSuite {

  override protected def doInsert(tableName: String, insert: DataFrame, mode: SaveMode): Unit = {
    val writer = insert.write.format(v2Format)
    if (mode != null) {
      writer.mode(mode)
    }
    writer.insertInto(tableName)
  }
}
