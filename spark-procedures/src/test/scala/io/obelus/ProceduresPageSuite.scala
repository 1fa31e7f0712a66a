package io.obelus

import io.obelus.procedure.Procedures

/** The page of procedures, on which none is missing. */
class ProceduresPageSuite extends PageSuite("spark-procedures", "docs/procedures.md", "sales") {

  test("each procedure and each argument is on the page") {
    Procedures.all.forEach { procedure =>
      assert(page.contains(s"\n## ${procedure.name}\n"))
      procedure.parameters.forEach(parameter => assert(page.contains(s"\n| `${parameter.name}` |")))
    }
  }
}
