package io.obelus.published

import io.obelus.LeavesWholeTables
import io.obelus.testing.DropWatch
import org.apache.spark.{SparkConf, SparkFunSuite}
import org.apache.spark.sql.test.SharedSparkSessionBase
import org.scalactic.source.Position
import org.scalatest.Tag

/**
 * One of the test suites that Spark publishes, run on our tables.
 *
 * Each starts a session of its own, since that is how Spark's suites are built. What such a suite
 * says of Spark's in-memory tables rather than of SQL is left out by name, with the reason.
 */
trait PublishedSuite extends SparkFunSuite with SharedSparkSessionBase with LeavesWholeTables {

  /** Beginnings of the names of tests that cannot hold here, and why. */
  protected def leftOut: Map[String, String]

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.sql.extensions", classOf[DropWatch].getName)

  override protected def test(name: String, tags: Tag*)(body: => Any)(implicit pos: Position): Unit =
    if (!leftOut.keys.exists(name.startsWith)) {
      super.test(name, tags: _*)(body)
    }
}
