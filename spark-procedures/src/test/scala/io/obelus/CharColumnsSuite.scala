package io.obelus

import org.apache.spark.sql.Row

/** CHAR columns: Spark pads what it reads, writes and compares, and must still know the table. */
class CharColumnsSuite extends CaseSuite {

  private def fill(): Unit = {
    table("t", "id INT NOT NULL, c CHAR(4), v INT", "id")
    run("INSERT INTO t VALUES (1,'a',10),(2,'b',20),(3,NULL,30),(4,'abcd',40)")
  }

  behaviour("rows are deleted by a CHAR column and beside one") {
    fill()
    run("DELETE FROM t WHERE id = 1")
    ids("true")(2, 3, 4)
    run("DELETE FROM t WHERE c = 'b'")
    ids("true")(3, 4)
    run("DELETE FROM t WHERE c IN ('x', 'abcd ')")
    ids("true")(3)
    run("WITH s AS (SELECT 3 AS id) DELETE FROM t WHERE id IN (SELECT id FROM s) OR c = 'a'")
    ids("true")()
  }

  behaviour("all rows are deleted") {
    fill()
    run("DELETE FROM t")
    ids("true")()
    run("INSERT INTO t VALUES (1,'a',10)")
    run("TRUNCATE TABLE t")
    ids("true")()
  }

  behaviour("rows are updated and merged") {
    fill()
    run("UPDATE t SET v = 21 WHERE c = 'b'")
    run("UPDATE t SET c = 'z' WHERE c = 'abcd'")
    run(
      """MERGE INTO t USING (SELECT 1 AS id, 'q' AS c UNION ALL SELECT 9, 'n') AS s ON t.id = s.id
        |WHEN MATCHED THEN UPDATE SET c = s.c
        |WHEN NOT MATCHED THEN INSERT (id, c, v) VALUES (s.id, s.c, 90)""".stripMargin)
    answer("SELECT * FROM t")(
      Row(1, "q   ", 10),
      Row(2, "b   ", 21),
      Row(3, null, 30),
      Row(4, "z   ", 40),
      Row(9, "n   ", 90))
    run("MERGE INTO t USING (SELECT 'n' AS c) AS s ON t.c = rpad(s.c, 4, ' ') WHEN MATCHED THEN DELETE")
    ids("true")(1, 2, 3, 4)
  }

  behaviour("of a partitioned table whole partitions are deleted") {
    table("t", "id INT NOT NULL, p CHAR(3) NOT NULL, c CHAR(2)", "id,p", "p")
    run("INSERT INTO t VALUES (1,'x','a'),(2,'y','b'),(3,'xyz','c'),(4,'x','d')")
    run("DELETE FROM t WHERE p = 'x'")
    ids("true")(2, 3)
    run("DELETE FROM t WHERE p = 'xyz' AND c = 'c'")
    ids("true")(2)
  }
}
