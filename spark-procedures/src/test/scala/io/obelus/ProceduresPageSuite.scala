package io.obelus

import java.nio.file.{Files, Path}

import io.obelus.procedure.Procedures

/** The page `docs/procedures.md`: its statements run, and no procedure is missing on it. */
class ProceduresPageSuite extends ObelusSuite {

  private val page = {
    val here = Path.of("docs/procedures.md")
    val file = if (Files.exists(here)) here else Path.of("spark-procedures").resolve(here)
    Files.readString(file)
  }

  test("each statement on the page runs") {
    val statements = "(?s)```sql\n(.*?)```".r
      .findAllMatchIn(page)
      .flatMap(_.group(1).split(";\n"))
      .toSeq
    assert(statements.size > 5)
    try statements.foreach(statement => withClue(statement)(spark.sql(statement).collect()))
    finally spark.sql("DROP DATABASE IF EXISTS obelus.sales CASCADE")
  }

  test("each procedure and each argument is on the page") {
    Procedures.all.forEach { procedure =>
      assert(page.contains(s"\n## ${procedure.name}\n"))
      procedure.parameters.forEach(parameter => assert(page.contains(s"\n| `${parameter.name}` |")))
    }
  }
}
