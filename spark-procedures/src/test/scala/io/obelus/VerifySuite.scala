package io.obelus

import java.nio.file.{Files, Path}
import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._

import io.obelus.testing.DamagesTables
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}
import org.apache.spark.sql.Row
import org.scalatest.concurrent.Eventually._
import org.scalatest.time.{Seconds, Span}

/** Damage is found from SQL, and the statement that is named for it mends it. */
@DamagesTables("what verify finds is planted")
class VerifySuite extends ObelusSuite {

  private def found(arguments: String = ", level => 'full'"): Seq[Row] =
    spark.sql(s"CALL sys.verify('$database.t'$arguments)").collect().toSeq

  private def checks: Seq[String] = found().map(_.getString(1)).distinct

  private def withTable(test: => Unit): Unit = {
    createTable(
      "t",
      "id BIGINT, city STRING, day INT",
      "id,day",
      partition = "day",
      options = Map(
        "bucket" -> "2",
        "file-index.bitmap.columns" -> "city",
        "file-index.in-manifest-threshold" -> "1 b"))
    try {
      spark.sql(
        "INSERT INTO t SELECT id, concat('c', id % 4), CAST(id % 2 AS INT) FROM range(400)")
      spark.sql("DELETE FROM t WHERE id % 10 = 0")
      spark.sql("INSERT INTO t SELECT id, 'new', CAST(id % 2 AS INT) FROM range(20)")
      assert(found().isEmpty && found("").isEmpty)
      test
    } finally spark.sql("DROP TABLE t")
  }

  private def remedies: Seq[String] = found().map(_.getString(7)).distinct

  /** Runs what is said to mend the table, which must then be whole. */
  private def mend(): Unit = {
    remedies.foreach(spark.sql(_).collect())
    assert(found().isEmpty)
  }

  private def newestFile(suffix: String): Path = {
    val all = Files.walk(directoryOf("t"))
    try all.iterator.asScala
        .filter(_.toString.endsWith(suffix))
        .maxBy(Files.getLastModifiedTime(_))
    finally all.close()
  }

  test("a lost data file is found, and going back mends it") {
    withTable {
      val file = spark.sql("SELECT file_path FROM `t$files` ORDER BY max_sequence_number DESC")
        .head.getString(0)
      Files.delete(Path.of(file.replaceFirst("^file:/*", "/")))
      val row = found("").head
      assert(row.getString(0) == "ERROR" && row.getString(1) == "data_file")
      assert(row.getString(2).startsWith("day=") && row.getString(4) == file)
      assert(row.getString(6) == "the file is missing")
      assert(row.getString(7) ==
        s"CALL sys.rollback(table => '$database.t', snapshot => 2)")
      mend()
      assert(spark.table("t").count() == 360)
    }
  }

  test("a damaged index is found, and making it again mends it") {
    withTable {
      val file = newestFile(".index")
      val bytes = Files.readAllBytes(file)
      bytes(bytes.length - 3) = (bytes(bytes.length - 3) ^ 1).toByte
      Files.deleteIfExists(file.resolveSibling(s".${file.getFileName}.crc"))
      Files.write(file, bytes)
      assert(found("").isEmpty)
      assert(checks == Seq("file_index"))
      assert(remedies.forall(_.startsWith("CALL sys.rewrite_file_index")))
      mend()
    }
  }

  test("a hint that leads nowhere is found, and is written anew") {
    withTable {
      val hint = directoryOf("t").resolve("snapshot/LATEST")
      Files.deleteIfExists(hint.resolveSibling(".LATEST.crc"))
      Files.writeString(hint, "77")
      assert(checks == Seq("hint"))
      assert(found().map(_.getString(0)) == Seq("WARNING"))
      mend()
      assert(Files.readString(hint) == "3")
    }
  }

  test("data files are read in one job that says what it does") {
    withTable {
      val jobs = new ConcurrentLinkedQueue[String]
      val listener = new SparkListener {
        override def onJobStart(job: SparkListenerJobStart): Unit =
          Option(job.properties.getProperty("spark.job.description")).foreach(jobs.add)
      }
      spark.sparkContext.addSparkListener(listener)
      try {
        found()
        found(", level => 'full', sample => 0.5, version => '1'")
        found(", level => 'full', where => 'day = 1'")
        val expected = Seq(4, 4, 2).map(buckets => s"verify $database.t: $buckets buckets")
        eventually(timeout(Span(10, Seconds)))(assert(jobs.asScala.toSeq == expected))
      } finally spark.sparkContext.removeSparkListener(listener)
    }
  }

  test("arguments that make no sense are refused") {
    withTable {
      val level = intercept[Exception](found(", level => 'deep'"))
      assert(level.getMessage.contains("should be 'metadata' or 'full' but is 'deep'"))
      val sample = intercept[Exception](found(", level => 'full', sample => 2"))
      assert(sample.getMessage.contains("should be above 0 and at most 1 but is 2.0"))
    }
  }
}
