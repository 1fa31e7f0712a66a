package io.obelus

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.apache.spark.sql.{QueryTest, SparkSession}

/**
 * SQL from end to end. All suites share one session; each has a database of its own, which is the
 * current one: `t` is a table of the suite.
 */
abstract class ObelusSuite extends QueryTest with LeavesWholeTables {

  protected val database: String = getClass.getSimpleName.toLowerCase

  override protected def spark: SparkSession = ObelusSession.get

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    spark.sql(s"CREATE DATABASE IF NOT EXISTS obelus.$database")
    spark.sql(s"USE obelus.$database")
  }

  override protected def afterAll(): Unit = {
    try {
      spark.sql(s"DROP DATABASE IF EXISTS obelus.$database CASCADE")
      spark.sql("USE spark_catalog.default")
    } finally super.afterAll()
  }

  /**
   * Makes a table with one bucket in the current database.
   *
   * @param columns as between the parentheses of CREATE TABLE
   * @param key columns of the primary key, by comma; empty for an append-only table
   * @param partition columns, by comma
   */
  protected def createTable(
      name: String,
      columns: String,
      key: String,
      partition: String = "",
      options: Map[String, String] = Map.empty): Unit = {
    val keyed = if (key.isEmpty) Map.empty else Map("primary-key" -> key, "bucket" -> "1")
    val properties = (keyed ++ options).map { case (k, v) => s"'$k' = '$v'" }
    val partitioned = if (partition.isEmpty) "" else s"PARTITIONED BY ($partition)"
    val with_ = if (properties.isEmpty) "" else properties.mkString("TBLPROPERTIES (", ", ", ")")
    spark.sql(s"CREATE TABLE $name ($columns) $partitioned $with_")
  }

  /** Makes one sorted run of each bucket and clears the bitmaps. */
  protected def compactFully(name: String): Unit =
    spark.sql(s"CALL sys.compact(table => '$database.$name', compact_strategy => 'full')")

  protected def directoryOf(name: String): Path =
    ObelusSession.warehouse.resolve("lake").resolve(s"$database.db").resolve(name)

  /** Ids of the snapshots of a table, ascending. */
  protected def snapshotIds(name: String): Seq[Long] = {
    val directory = directoryOf(name).resolve("snapshot")
    if (!Files.exists(directory)) {
      Seq.empty
    } else {
      val files = Files.list(directory)
      try {
        files.iterator.asScala
          .map(_.getFileName.toString)
          .filter(_.matches("snapshot-\\d+"))
          .map(_.stripPrefix("snapshot-").toLong)
          .toList
          .sorted
      } finally files.close()
    }
  }

  protected def newestSnapshot(name: String): Long = snapshotIds(name).lastOption.getOrElse(0L)
}
