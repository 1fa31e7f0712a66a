package io.obelus

import java.util.concurrent.{Callable, CyclicBarrier, Executors}

import scala.collection.JavaConverters._
import scala.util.{Failure, Success, Try}

import io.obelus.core.bucket.{BucketId, BucketState}
import io.obelus.core.io.CommitConflictException
import io.obelus.core.table.maintenance.Compaction
import io.obelus.core.table.snapshot.{LiveFiles, Table}
import io.obelus.spark.ObelusTable
import org.apache.spark.sql.Row
import org.apache.spark.sql.connector.catalog.{Identifier, TableCatalog}

/** Two who change one table at a time, and what is left of bitmaps afterwards. */
class ConcurrencyCasesSuite extends CaseSuite {

  private def core(name: String): Table =
    spark.sessionState.catalogManager
      .catalog("obelus")
      .asInstanceOf[TableCatalog]
      .loadTable(Identifier.of(Array(database), name))
      .asInstanceOf[ObelusTable]
      .table

  private def buckets(name: String): Seq[BucketState] = {
    val table = core(name)
    new LiveFiles(table, table.snapshots.latest.get).buckets((_: BucketId) => true).asScala
  }

  /** Data files that have a bitmap, of all buckets. */
  private def withBitmap(states: Seq[BucketState]): Set[String] =
    states.flatMap(_.deletions.asScala).flatMap(_.ranges.asScala).map(_.dataFile).toSet

  private def isConflict(error: Throwable): Boolean =
    causes(error).exists(_.isInstanceOf[CommitConflictException])

  behaviour("O-15 a compaction that was overtaken by a change") {
    table("t", "id INT, v STRING", "id")
    for (id <- 1 to 10) run(s"INSERT INTO t VALUES ($id, 'old')")
    val compaction = Compaction.of(core("t"), true)
    val changes = compaction.buckets((_: BucketId) => true).asScala.map(compaction.run)
    run("INSERT INTO t VALUES (3, 'new')")
    run("DELETE FROM t WHERE id = 7")
    val before = snapshotIds("t")
    Try(compaction.commit(changes.asJava)) match {
      case Success(_) =>
      case Failure(error) =>
        assert(isConflict(error), error)
        assert(snapshotIds("t") == before)
    }
    answer("SELECT * FROM t")(
      (1 to 10).filter(_ != 7).map(id => Row(id, if (id == 3) "new" else "old")): _*)
  }

  behaviour("O-15 a change that was overtaken by a compaction") {
    table("t", "id INT, v STRING", "id")
    for (id <- 1 to 10) run(s"INSERT INTO t VALUES ($id, 'old')")
    val outcomes = atOnce(
      Seq("INSERT INTO t VALUES (3, 'new')", s"CALL sys.compact(table => '$database.t')"))
    outcomes.foreach(_.failed.foreach(error => assert(isConflict(error), error)))
    val three = if (outcomes.head.isSuccess) "new" else "old"
    answer("SELECT * FROM t")((1 to 10).map(id => Row(id, if (id == 3) three else "old")): _*)
  }

  /** Runs each statement in a session of its own, all starting together. */
  private def atOnce(statements: Seq[String]): Seq[Try[Unit]] = {
    val start = new CyclicBarrier(statements.size)
    val pool = Executors.newFixedThreadPool(statements.size)
    try {
      statements
        .map { statement =>
          val session = spark.newSession()
          session.sql(s"USE obelus.$database")
          pool.submit(new Callable[Try[Unit]] {
            override def call(): Try[Unit] = {
              start.await()
              Try(session.sql(statement).collect()).map(_ => ())
            }
          })
        }
        .map(_.get())
    } finally {
      pool.shutdown()
      change(())
    }
  }

  private def assertGapless(name: String): Unit = {
    val ids = snapshotIds(name)
    assert(ids == (1L to ids.size.toLong))
  }

  behaviour("O-16 two writers on one base") {
    table("t", "id INT, v STRING", "id")
    run("INSERT INTO t VALUES (0, 'base')")
    val outcomes = atOnce(
      Seq(
        "INSERT INTO t SELECT id, 'A' FROM range(1, 101)",
        "INSERT INTO t SELECT id, 'B' FROM range(51, 151)"))
    outcomes.foreach(_.failed.foreach(error => assert(isConflict(error), error)))
    assert(outcomes.exists(_.isSuccess))
    assertGapless("t")
    val Seq(a, b) = outcomes.map(_.isSuccess)
    count("id > 0")(if (a && b) 150 else 100)
    count("v = 'A' AND id BETWEEN 1 AND 50")(if (a) 50 else 0)
    count("v = 'B' AND id > 100")(if (b) 50 else 0)
    value("SELECT count(DISTINCT v) FROM t WHERE id BETWEEN 51 AND 100")(1)
    value("SELECT count(*) - count(DISTINCT id) FROM t")(0)
  }

  behaviour("O-16 twenty writers of different keys", Seq(Straight)) {
    table("t", "id INT, v INT", "id", options = Map("bucket" -> "4"))
    run("INSERT INTO t VALUES (-1, -1)")
    val writers = 0 until 20
    val outcomes = atOnce(
      writers.map(w => s"INSERT INTO t SELECT id, $w FROM range(${w * 50}, ${w * 50 + 50})"))
    outcomes.foreach(_.failed.foreach(error => assert(isConflict(error), error)))
    assertGapless("t")
    answer("SELECT v, count(*), count(DISTINCT id) FROM t WHERE id >= 0 GROUP BY v")(
      writers.filter(outcomes(_).isSuccess).map(Row(_, 50L, 50L)): _*)
  }

  behaviour("O-16 an UPDATE that was overtaken by another") {
    table("t", "id INT, s STRING", "id")
    run("INSERT INTO t VALUES (1, 'pending'), (2, 'pending')")
    val outcomes = atOnce(
      Seq(
        "UPDATE t SET s = 'done' WHERE s = 'pending'",
        "UPDATE t SET s = 'cancelled' WHERE id = 1"))
    outcomes.foreach(_.failed.foreach(error => assert(isConflict(error), error)))
    val Seq(done, cancelled) = outcomes.map(_.isSuccess)
    answer("SELECT s FROM t WHERE id = 1")(Row(if (cancelled) "cancelled" else "done"))
    answer("SELECT s FROM t WHERE id = 2")(Row(if (done) "done" else "pending"))
  }

  behaviour("O-18 bitmaps of files that compaction did not touch", Seq(Straight, RowByRow)) {
    table("t", "id INT, pt INT", "id,pt", partition = "pt")
    run("INSERT INTO t SELECT id, IF(id <= 1000, 1, 2) FROM range(1, 2001)")
    settle()
    run("DELETE FROM t WHERE id BETWEEN 11 AND 20 OR id BETWEEN 1011 AND 1020")
    val before = buckets("t")
    assert(withBitmap(before).size == 2)
    run(s"CALL sys.compact(table => '$database.t', partitions => 'pt=1')")
    for (pt <- 1 to 2) count(s"pt = $pt")(990)
    val after = buckets("t")
    val live = after.flatMap(_.files.asScala).map(_.name).toSet
    assert(withBitmap(after).size == 1)
    assert(withBitmap(after).subsetOf(live))
    assert(withBitmap(after).subsetOf(withBitmap(before)))
  }
}
