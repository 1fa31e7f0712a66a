package io.obelus

import java.nio.file.{Files, Path}

/**
 * A page of the documentation: its statements run, in their order.
 *
 * @param module folder of the module that has the page
 * @param file below that folder
 * @param pageDatabase that the statements make; it is dropped afterwards
 */
abstract class PageSuite(module: String, file: String, pageDatabase: String) extends ObelusSuite {

  protected val page: String = {
    val fromTop = Path.of(module).resolve(file)
    Files.readString(if (Files.exists(fromTop)) fromTop else Path.of("..").resolve(fromTop))
  }

  test("each statement on the page runs") {
    val statements = "(?s)```sql\n(.*?)```".r
      .findAllMatchIn(page)
      .flatMap(_.group(1).split(";\n"))
      .toSeq
    assert(statements.size > 5)
    try statements.foreach(statement => withClue(statement)(spark.sql(statement).collect()))
    finally spark.sql(s"DROP DATABASE IF EXISTS obelus.$pageDatabase CASCADE")
  }
}

/** The reference of what can be said in SQL. */
class SqlPageSuite extends PageSuite("spark-datasource", "docs/sql.md", "shop")
