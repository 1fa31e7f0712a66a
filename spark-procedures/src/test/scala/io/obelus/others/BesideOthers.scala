package io.obelus.others

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import io.obelus.LeavesWholeTables
import io.obelus.testing.WholeTables
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.{Row, SparkSession}
import org.scalatest.{BeforeAndAfterAll, DoNotDiscover}
import org.scalatest.funsuite.AnyFunSuite

/**
 * One session after the other, each with our extension and those of others in another order. Needs
 * their jars, so [[ExtensionsOfOthersSuite]] runs it.
 */
@DoNotDiscover
class BesideOthers extends AnyFunSuite with BeforeAndAfterAll with LeavesWholeTables {

  import BesideOthers._

  private val warehouse: Path =
    WholeTables.watch(Files.createTempDirectory("beside-others").toRealPath())
  private var spark: SparkSession = _

  override protected def afterAll(): Unit = {
    stop()
    JavaUtils.deleteRecursively(warehouse.toFile)
  }

  private def stop(): Unit = {
    if (spark != null) {
      spark.stop()
    }
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
  }

  /** Extensions belong to a context, so each order of them has one. */
  private def start(extensions: Seq[Extension], ourCatalog: Boolean = false): Unit = {
    stop()
    val folder = Files.createTempDirectory(warehouse, "session")
    val builder = SparkSession
      .builder()
      .master("local[2]")
      .appName("beside others")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "1")
      .config("spark.sql.warehouse.dir", folder.resolve("spark").toString)
      .config("spark.sql.extensions", extensions.map(_.className).mkString(","))
      .config("spark.sql.catalog.obelus", "io.obelus.spark.ObelusCatalog")
      .config("spark.sql.catalog.obelus.warehouse", Files.createDirectories(folder.resolve("obelus")).toString)
      .config("spark.sql.catalog.iceberg", "org.apache.iceberg.spark.SparkCatalog")
      .config("spark.sql.catalog.iceberg.type", "hadoop")
      .config("spark.sql.catalog.iceberg.warehouse", folder.resolve("iceberg").toString)
      .config("spark.databricks.delta.snapshotPartitions", "1")
    if (ourCatalog) {
      builder.config("spark.sql.catalog.spark_catalog", "io.obelus.spark.ObelusSessionCatalog")
    } else if (extensions.contains(Delta)) {
      builder.config(
        "spark.sql.catalog.spark_catalog",
        "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    }
    spark = builder.getOrCreate()
  }

  private def run(sql: String): Seq[Row] =
    withClue(sql)(spark.sql(sql).collectAsList().asScala)

  private def rowsOf(table: String, expected: Row*): Unit =
    assert(run(s"SELECT * FROM $table ORDER BY 1, 2") == expected, table)

  private def update(table: String) = s"UPDATE $table SET v = 'u' WHERE id = 1"

  private def merge(table: String) =
    s"""MERGE INTO $table t USING (SELECT id, 'm' AS v FROM VALUES (3), (4) AS s(id)) s ON s.id = t.id
       WHEN MATCHED THEN UPDATE SET v = s.v
       WHEN NOT MATCHED THEN INSERT (id, v, w) VALUES (s.id, s.v, 0)"""

  private def changeRows(table: String): Unit = {
    run(update(table))
    run(s"DELETE FROM $table WHERE id = 2")
    run(merge(table))
    rowsOf(table, Row(1, "u", 10), Row(3, "m", 30), Row(4, "m", 0))
  }

  /** Rules of Iceberg that come before ours fail at tables that are not Iceberg's. */
  private def cannotChangeRows(table: String): Unit = {
    Seq(update(table), merge(table)).foreach(sql => intercept[MatchError](run(sql)))
    run(s"DELETE FROM $table WHERE id = 2")
    run(s"INSERT INTO $table VALUES (1, 'u', 10), (3, 'm', 30), (4, 'm', 0)")
  }

  private def ours(catalog: String, icebergFirst: Boolean): Unit = {
    val t = s"$catalog.n.t"
    run(s"CREATE DATABASE $catalog.n")
    run(s"CREATE TABLE $t (id INT NOT NULL, v STRING, w INT) USING obelus TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1')")
    run(s"INSERT INTO $t VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30)")
    if (icebergFirst) cannotChangeRows(t) else changeRows(t)
    run(s"INSERT INTO $t (id, v) VALUES (5, 'p')")
    run(s"INSERT INTO $t (w, id) SELECT 60, 6")
    rowsOf(t, Row(1, "u", 10), Row(3, "m", 30), Row(4, "m", 0), Row(5, "p", null), Row(6, null, 60))
    calls(catalog)
    run(s"ANALYZE TABLE $t COMPUTE STATISTICS FOR ALL COLUMNS")
    assert(run(s"SELECT mergedRecordCount FROM $catalog.n.`t$$statistics`") == Seq(Row(5L)))
    run(s"ALTER TABLE $t ADD COLUMN x INT")
    assert(run(s"SELECT count(*) FROM $t VERSION AS OF 1").head.getLong(0) == 3)
    assert(run(s"SELECT count(*) FROM obelus_incremental_query('$t', 0, 1)").head.getLong(0) == 3)
  }

  private def calls(catalog: String): Unit = {
    assert(run(s"CALL $catalog.sys.compact('n.t', dry_run => true)").size == 1)
    assert(run(s"/* why */ call $catalog.`sys`.COMPACT( -- now\n table => 'n.t');").size == 1)
    assert(spark.sql(s"CALL $catalog.sys.verify(:t)", Map("t" -> "n.t")).collect().isEmpty)
    assert(spark.sql(s"CALL $catalog.sys.verify(?, ?)", Array("n.t", "full")).collect().isEmpty)
    run(s"CALL $catalog.sys.create_tag(table => 'n.t', tag => 'one', snapshot => 1)")
    assert(run(s"SELECT count(*) FROM $catalog.n.t VERSION AS OF 'one'").head.getLong(0) == 3)
    assert(run(s"CALL $catalog.sys.expire_snapshots(table => 'n.t', dry_run => true)").size == 1)
    assert(run(s"SHOW PROCEDURES IN $catalog").exists(_.getString(0) == "sys.compact"))
    assert(run(s"DESCRIBE PROCEDURE $catalog.sys.compact").size > 5)
    run(s"USE $catalog.n")
    assert(run("CALL sys.compact('t', dry_run => true)").size == 1)
    assert(run("SHOW PROCEDURES").exists(_.getString(0) == "sys.compact"))
    run("USE spark_catalog.default")
    val wrong = intercept[Exception](run(s"CALL $catalog.sys.nothing('n.t')"))
    assert(wrong.getMessage.contains("SHOW PROCEDURES IN " + catalog), wrong)
  }

  /** What has the name of a procedure of Iceberg in it is taken by the one that is asked first. */
  private def namesakes(extensions: Seq[Extension]): Unit = {
    val error = intercept[Exception](run("CALL obelus.sys.compact('system.expire_snapshots')"))
    val isOurs = error.getMessage.contains("there is no table 'system.expire_snapshots'")
    assert(isOurs == icebergFirst(extensions), error)
  }

  private def iceberg(): Unit = {
    val t = "iceberg.n.t"
    run("CREATE DATABASE iceberg.n")
    run(s"CREATE TABLE $t (id INT, v STRING, w INT) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    run(s"INSERT INTO $t VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30)")
    changeRows(t)
    assert(run("CALL iceberg.system.rewrite_data_files(table => 'n.t', options => map('rewrite-all', 'true'))").size == 1)
    assert(run("CALL iceberg.system.expire_snapshots('n.t')").size == 1)
    run(s"ALTER TABLE $t CREATE TAG first")
    run(s"ALTER TABLE $t ADD PARTITION FIELD bucket(4, id)")
    run(s"ALTER TABLE $t WRITE ORDERED BY id")
    run("USE iceberg.n")
    assert(run("CALL system.ancestors_of(table => 't')").nonEmpty)
    run("USE spark_catalog.default")
  }

  private def delta(): Unit = {
    val t = "spark_catalog.default.d"
    run(s"CREATE TABLE $t (id INT, v STRING, w INT) USING delta")
    run(s"INSERT INTO $t VALUES (1, 'a', 10), (2, 'b', 20)")
    run(s"INSERT INTO $t (id, v) VALUES (5, 'p')")
    assert(run(s"OPTIMIZE $t").size == 1)
    assert(run(s"DESCRIBE HISTORY $t").size == 4)
    rowsOf(t, Row(1, "a", 10), Row(2, "b", 20), Row(5, "p", null))
  }

  orders.foreach { extensions =>
    test(nameOf(extensions)) {
      start(extensions)
      ours("obelus", icebergFirst(extensions))
      if (extensions.contains(Iceberg)) {
        namesakes(extensions)
        iceberg()
      }
      if (extensions.contains(Delta)) delta()
    }
  }

  Seq(Seq(Obelus, Iceberg), Seq(Iceberg, Obelus)).foreach { extensions =>
    test("our catalog as spark_catalog: " + nameOf(extensions)) {
      start(extensions, ourCatalog = true)
      ours("spark_catalog", icebergFirst(extensions))
      assert(run("SHOW PROCEDURES").exists(_.getString(0) == "sys.compact"))
    }
  }
}

object BesideOthers {

  sealed abstract class Extension(val className: String)
  case object Obelus extends Extension("io.obelus.procedure.ObelusExtensions")
  case object Iceberg
      extends Extension("org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
  case object Delta extends Extension("io.delta.sql.DeltaSparkSessionExtension")

  /** One other before and after ours, then all. */
  val orders: Seq[Seq[Extension]] =
    Seq(Seq(Obelus, Iceberg), Seq(Iceberg, Obelus), Seq(Obelus, Delta), Seq(Delta, Obelus)) ++
      Seq(Seq(Delta, Obelus, Iceberg), Seq(Iceberg, Delta, Obelus))

  def icebergFirst(extensions: Seq[Extension]): Boolean =
    extensions.takeWhile(_ != Obelus).contains(Iceberg)

  def nameOf(extensions: Seq[Extension]): String = extensions.mkString(", then ")
}
