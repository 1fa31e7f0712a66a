package io.obelus.others

import java.io.File
import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.apache.spark.sql.SparkSession
import org.scalatest.funsuite.AnyFunSuite

import io.obelus.spark.ObelusCatalog

/**
 * Runs [[BesideOthers]] in a JVM of its own: only there the jars of others are on the class path.
 * Maven puts them into `target/others`. The JVM starts when this suite is made, before any runs: the
 * suites use little more than one core, and it takes more than a minute.
 */
class ExtensionsOfOthersSuite extends AnyFunSuite {

  private val module: Path = {
    val here = Path.of("").toAbsolutePath
    if (here.endsWith("spark-procedures")) here else here.resolve("spark-procedures")
  }

  private def jars: Seq[Path] = {
    val files = Files.list(module.resolve("target/others"))
    try files.iterator.asScala.toList.filter(_.toString.endsWith(".jar"))
    finally files.close()
  }

  private val log = Files.createTempFile("beside-others", ".log")
  private val child = new ProcessBuilder(command.asJava)
    .redirectErrorStream(true)
    .redirectOutput(log.toFile)
    .start()
  sys.addShutdownHook(child.destroy())

  test("our SQL works beside the extensions of others, and theirs beside ours") {
    assert(jars.map(_.getFileName.toString.takeWhile(_ != '_')).toSet ==
      Set("iceberg-spark-runtime-3.5", "delta-spark", "delta-storage-3.3.2.jar"))
    try {
      val code = child.waitFor()
      val said = Files.readString(log)
      assert(code == 0, said)
      // ScalaTest also ends well where it has found no test at all.
      BesideOthers.orders.foreach(order => assert(said.contains(BesideOthers.nameOf(order)), said))
    } finally Files.delete(log)
  }

  private def command: Seq[String] = {
    val classPath = (Seq(System.getProperty("java.class.path")) ++ folders ++ jars).mkString(File.pathSeparator)
    val opens = Files
      .readString(module.resolveSibling("pom.xml"))
      .split("</?spark.jvm.opens>")(1)
      .split(" ")
    Seq(Path.of(System.getProperty("java.home"), "bin", "java").toString, "-Xmx1g", "-XX:TieredStopAtLevel=1", "-Duser.timezone=UTC") ++
      opens ++
      Seq("-cp", classPath, "org.scalatest.tools.Runner", "-oW", "-s", classOf[BesideOthers].getName)
  }

  /** Where the classes of this module, of the other and of Spark are, whatever runs this suite. */
  private def folders: Seq[String] =
    Seq(getClass, classOf[io.obelus.procedure.ObelusExtensions], classOf[ObelusCatalog], classOf[SparkSession])
      .map(_.getProtectionDomain.getCodeSource.getLocation.getPath)
      .distinct
}
