package io.obelus

import java.nio.file.{Files, Path}

import io.obelus.testing.{DropWatch, WholeTables}
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession

/**
 * The one session of all suites of this JVM, with our catalog under the name `obelus`.
 *
 * Spark's own suites stop whatever session they find and start theirs; after them this one is
 * started anew.
 */
object ObelusSession {

  /** Where the tables of all suites are. Deleted when the JVM ends. */
  val warehouse: Path =
    WholeTables.watch(Files.createTempDirectory("obelus-tests").toRealPath())

  sys.addShutdownHook(JavaUtils.deleteRecursively(warehouse.toFile))

  private var current: SparkSession = _

  def get: SparkSession = synchronized {
    if (current == null || current.sparkContext.isStopped) {
      current = start()
    }
    current
  }

  private def start(): SparkSession = {
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
    val lake = Files.createDirectories(warehouse.resolve("lake"))
    SparkSession
      .builder()
      .master("local[2]")
      .appName("obelus")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.sql.session.timeZone", "UTC")
      .config("spark.sql.warehouse.dir", warehouse.resolve("spark").toString)
      .config(
        "spark.sql.extensions",
        s"io.obelus.procedure.ObelusExtensions,${classOf[DropWatch].getName}")
      .config("spark.sql.catalog.obelus", "io.obelus.spark.ObelusCatalog")
      .config("spark.sql.catalog.obelus.warehouse", lake.toString)
      .getOrCreate()
  }
}
