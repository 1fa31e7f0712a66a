package io.obelus

import java.nio.file.{Files, Path}
import java.nio.file.attribute.FileTime
import java.time.Instant

import org.apache.spark.sql.Row

/** Tags, rollback, expiry and orphan files, from SQL. */
class MaintenanceSuite extends ObelusSuite {

  private def name(table: String): String = s"$database.$table"

  /** A table with snapshots 1 to 4; snapshot n has row (1, vn). */
  private def withTable(test: String => Unit): Unit = {
    createTable("t", "id INT, v STRING", "id")
    try {
      (1 to 4).foreach(n => spark.sql(s"INSERT INTO t VALUES (1, 'v$n')"))
      assert(snapshotIds("t") == (1 to 4))
      test(name("t"))
    } finally spark.sql("DROP TABLE t")
  }

  private def call(call: String)(rows: Row*): Unit =
    checkAnswer(spark.sql(s"CALL sys.$call"), rows)

  private def refused(call: String)(words: String): Unit = {
    val error = intercept[Exception](spark.sql(s"CALL sys.$call"))
    assert(error.getMessage.contains(words))
  }

  private def reads(query: String)(v: String): Unit =
    checkAnswer(spark.sql(s"SELECT v FROM $query"), Row(v))

  test("a tag is made, read, renamed and deleted") {
    withTable { t =>
      call(s"create_tag(table => '$t', tag => 'two', snapshot => 2)")(Row("two", 2L))
      call(s"create_tag('$t', 'now', time_retained => '7 d')")(Row("now", 4L))
      call(s"create_tag('$t', '3', 1)")(Row("3", 1L))
      reads("t VERSION AS OF 'two'")("v2")
      reads("t VERSION AS OF 'now'")("v4")
      reads("t VERSION AS OF '3'")("v1") // the tag, not the snapshot
      reads("t VERSION AS OF 2")("v2")
      call(s"rename_tag('$t', 'two', target_tag => 'zwei')")(Row("zwei", 2L))
      reads("t VERSION AS OF 'zwei'")("v2")
      call(s"delete_tag('$t', 'zwei, 3')")(Row("zwei", 2L, 0L), Row("3", 1L, 0L))
      reads("t VERSION AS OF 3")("v3")
      refused(s"create_tag('$t', 'now')")("has a tag 'now' already")
      refused(s"create_tag('$t', 'a/b')")("'a/b' is no name for a tag")
      refused(s"create_tag('$t', 'x', 9)")("has no snapshot 9; it has 1 to 4")
      refused(s"create_tag('$t', 'x', time_retained => 'long')")("'time_retained' is 'long'")
      refused(s"delete_tag('$t', 'now, zwei')")("has no tag 'zwei'; it has now")
      reads("t VERSION AS OF 'now'")("v4")
      refused(s"rename_tag('$t', 'x', 'y')")("has no tag 'x'; it has now")
    }
  }

  test("a table is rolled back to a snapshot, a tag, a version and a time") {
    withTable { t =>
      call(s"create_tag('$t', 'two', 2)")(Row("two", 2L))
      call(s"create_tag('$t', 'four')")(Row("four", 4L))
      call(s"rollback('$t', snapshot => 3, dry_run => true)")(Row(4L, 3L, 1L, Seq("four")))
      reads("t")("v4")
      call(s"rollback('$t', snapshot => 3)")(Row(4L, 3L, 1L, Seq("four")))
      reads("t")("v3")
      spark.sql("INSERT INTO t VALUES (2, 'w')")
      call(s"rollback(table => '$t', tag => 'two')")(Row(4L, 2L, 2L, Seq()))
      reads("t")("v2")
      val now = "now() - INTERVAL '0' SECOND"
      call(s"rollback(table => '$t', timestamp => $now)")(Row(2L, 2L, 0L, Seq()))
      call(s"rollback('$t', '1')")(Row(2L, 1L, 1L, Seq("two")))
      reads("t")("v1")
      refused(s"rollback('$t')")("needs one of the arguments 'version'")
      refused(s"rollback('$t', snapshot => 1, tag => 'x')")("needs one of the arguments")
      refused(s"rollback('$t', snapshot => 5)")("has no snapshot 5; it has 1")
      refused(s"rollback('$t', timestamp => '1999-01-01')")("has no snapshot at or before 1999")
      refused(s"rollback('$t', timestamp => 'noon')")(
        "argument 'timestamp' should be of type TIMESTAMP but is 'noon'")
    }
  }

  test("snapshots expire when they are told to, and tags outlive them") {
    withTable { t =>
      call(s"create_tag('$t', 'two', 2)")(Row("two", 2L))
      assert(spark.sql(s"CALL sys.expire_snapshots('$t')").head.getLong(0) == 0)
      val planned =
        spark.sql(s"CALL sys.expire_snapshots(table => '$t', retain_max => 1, dry_run => true)")
      assert(snapshotIds("t") == (1 to 4))
      val done = spark.sql(s"CALL sys.expire_snapshots('$t', 1)").head
      assert(done == planned.head)
      assert((done.getLong(0), done.getLong(1), done.getLong(2)) == ((3L, 1L, 3L)))
      assert(snapshotIds("t") == Seq(4))
      reads("t")("v4")
      reads("t VERSION AS OF 'two'")("v2")
      reads("t VERSION AS OF 2")("v2") // a tag holds it
      val gone = spark.sql(s"CALL sys.delete_tag('$t', 'two')").head
      assert(gone.getLong(2) > 0)
      reads("t")("v4")
      refused(s"expire_snapshots('$t', 1, 2)")("at least 2 and at most 1 snapshots")
      refused(s"expire_snapshots('$t', retain_min => 0)")(
        "argument 'retain_min' should be a whole number from 1")
      refused(s"expire_snapshots('$t', 'all')")("'retain_max' should be of type BIGINT")
      refused(s"expire_snapshots('$t', retain_least => 1)")(
        "there is no argument 'retain_least'. Its arguments are [table STRING, [retain_max")
    }
  }

  test("snapshots that are old enough expire by themselves") {
    createTable(
      "t",
      "id INT, v STRING",
      "id",
      options = Map("snapshot.num-retained.min" -> "2", "snapshot.time-retained" -> "0 ms"))
    try {
      (1 to 4).foreach(n => spark.sql(s"INSERT INTO t VALUES (1, 'v$n')"))
      assert(snapshotIds("t") == Seq(3, 4))
      spark.sql("DELETE FROM t WHERE id = 1")
      assert(snapshotIds("t") == Seq(4, 5))
      spark.sql("INSERT INTO t VALUES (1, 'v6'), (2, 'w')")
      spark.sql("INSERT INTO t VALUES (1, 'v7')")
      compactFully("t")
      assert(snapshotIds("t") == Seq(7, 8))
      spark.sql("TRUNCATE TABLE t")
      assert(snapshotIds("t") == Seq(8, 9))
      withSQLConf("spark.obelus.write-only" -> "true") {
        spark.sql("INSERT INTO t VALUES (3, 'x')")
      }
      assert(snapshotIds("t") == Seq(8, 9, 10))
    } finally spark.sql("DROP TABLE t")
  }

  test("old files that nobody refers to are removed") {
    withTable { t =>
      call(s"rollback('$t', snapshot => 2)")(Row(4L, 2L, 2L, Seq()))
      call(s"remove_orphan_files('$t')")() // all are younger than a day
      val orphan = Files.writeString(directoryOf("t").resolve("bucket-0/data-x-0.parquet"), "12")
      val dayBefore = Instant.now.minusSeconds(25 * 3600)
      Files.setLastModifiedTime(orphan, FileTime.from(dayBefore))
      val plan = spark.sql(s"CALL sys.remove_orphan_files(table => '$t', dry_run => true)").head
      assert(Path.of(plan.getString(0)).getFileName == orphan.getFileName && plan.getLong(1) == 2)
      assert(plan.getTimestamp(2).toInstant.toEpochMilli == dayBefore.toEpochMilli)
      assert(Files.exists(orphan))
      assert(spark.sql(s"CALL sys.remove_orphan_files('$t')").count() == 1)
      assert(!Files.exists(orphan))
      // What the rollback left behind.
      val left = spark.sql(s"CALL sys.remove_orphan_files('$t', older_than => now())").collect()
      assert(left.length > 4)
      reads("t")("v2")
      reads("t VERSION AS OF 1")("v1")
      refused(s"remove_orphan_files('$t', now() + INTERVAL '1' HOUR)")("give a time in the past")
      refused(s"remove_orphan_files('$t', older_than => 5)")(
        "argument 'older_than' should be of type TIMESTAMP but is INT")
    }
  }

  test("manifests are made one, and not again") {
    withTable { t =>
      val done = spark.sql(s"CALL sys.compact_manifest('$t')").head
      assert(done.getLong(0) > 1 && done.getLong(1) == 1 && done.getLong(3) < done.getLong(2))
      assert(newestSnapshot("t") == 5)
      reads("t")("v4")
      assert(spark.sql(s"CALL sys.compact_manifest(table => '$t')").head.getLong(1) == 1)
      assert(newestSnapshot("t") == 5)
    }
  }

  test("a session that reads times as Java 8 does is answered in them") {
    withTable { t =>
      Files.writeString(directoryOf("t").resolve("manifest/manifest-x"), "12")
      withSQLConf("spark.sql.datetime.java8API.enabled" -> "true") {
        val row = spark
          .sql(s"CALL sys.remove_orphan_files('$t', TIMESTAMP '2020-01-01 00:00:00')")
        assert(row.count() == 0)
        assert(
          spark.sql(s"CALL sys.remove_orphan_files('$t', now())").head.get(2).isInstanceOf[Instant])
      }
    }
  }
}
