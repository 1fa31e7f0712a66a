package io.obelus

import org.apache.spark.sql.Row

/**
 * Behaviour cases: small scenarios with the one right answer, which must not depend on how the
 * table happens to lie on disk or on the way it is read. Each case runs in several ways:
 *
 *   - straight after the writes;
 *   - compacted: before each answer all tables of the case that were written to are fully compacted;
 *   - row by row: Spark gets rows instead of column batches;
 *   - without statistics (where the case is about conditions): files carry none;
 *   - indexes unread (where the case is about indexes): files carry them, nobody asks.
 */
abstract class CaseSuite extends ObelusSuite {

  protected sealed abstract class Way(
      val name: String,
      val settings: Seq[(String, String)] = Seq.empty,
      val options: Map[String, String] = Map.empty,
      val compacts: Boolean = false)
  protected case object Straight extends Way("straight after the writes")
  protected case object Compacted extends Way("compacted", compacts = true)
  protected case object RowByRow
      extends Way("row by row", settings = Seq("spark.obelus.read.vectorized" -> "false"))
  protected case object NoStatistics
      extends Way("without statistics", options = Map("metadata.stats-mode" -> "none"))

  protected case object IndexesUnread
      extends Way("indexes unread", settings = Seq("spark.obelus.file-index.read.enabled" -> "false"))

  /** The ways of every case. */
  protected val ways: Seq[Way] = Seq(Straight, Compacted, RowByRow)

  private var way: Way = Straight
  private var tables = Set.empty[String]
  private var written = false

  /** A case in its own words, as one test for each way. */
  protected def behaviour(words: String, ways: Seq[Way] = ways)(body: => Unit): Unit =
    for (each <- ways) {
      test(s"$words: ${each.name}") {
        way = each
        tables = Set.empty
        written = false
        try withSQLConf(each.settings: _*)(body)
        finally tables.foreach(name => spark.sql(s"DROP TABLE IF EXISTS $name"))
      }
    }

  /** A case about conditions: also runs without statistics. */
  protected def conditions(words: String)(body: => Unit): Unit =
    behaviour(words, ways :+ NoStatistics)(body)

  /** Makes a table that is dropped after the test. */
  protected def table(
      name: String,
      columns: String,
      key: String,
      partition: String = "",
      options: Map[String, String] = Map.empty): Unit = {
    tables += name
    spark.sql(s"DROP TABLE IF EXISTS $name")
    createTable(name, columns, key, partition, options ++ way.options)
  }

  /** Runs a statement that changes a table. */
  protected def run(statement: String): Unit = change(spark.sql(statement))

  /** Does something that changes a table. */
  protected def change(something: => Any): Unit = {
    something
    written = true
  }

  /** Makes "top-level files", whatever the way. */
  protected def settle(): Unit = tables.foreach(compactFully)

  /** What the query must return, in any order, now. */
  protected def answer(query: String)(rows: Row*): Unit = {
    if (way.compacts && written) {
      settle()
      written = false
    }
    checkAnswer(spark.sql(query), rows)
  }

  /** The single value that the query must return. */
  protected def value(query: String)(expected: Any): Unit =
    answer(query)(Row(expected match {
      case whole: Int => whole.toLong
      case other => other
    }))

  /** The ids in `t` of the rows that fulfil a condition. */
  protected def ids(condition: String)(expected: Int*): Unit =
    withClue(condition) {
      answer(s"SELECT id FROM t WHERE $condition")(expected.map(Row(_)): _*)
    }

  /** How many rows of `t` fulfil a condition, counted by Spark and by the table. */
  protected def count(condition: String)(expected: Int): Unit =
    withClue(condition) {
      value(s"SELECT count(*) FROM t WHERE $condition")(expected)
    }

  /** An error, what caused it, what caused that, and so on. */
  protected def causes(error: Throwable): Seq[Throwable] =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).toSeq

  /** Whether an error or what caused it has these words. */
  protected def says(error: Throwable, words: String): Boolean =
    causes(error).exists(cause => String.valueOf(cause.getMessage).contains(words))
}
