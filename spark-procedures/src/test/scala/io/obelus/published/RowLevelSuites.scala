package io.obelus.published

import io.obelus.procedure.ObelusExtensions
import io.obelus.testing.DropWatch
import org.apache.spark.SparkConf
import org.apache.spark.sql.connector.{DeltaBasedDeleteFromTableSuite, DeltaBasedMergeIntoTableSuite, DeltaBasedUpdateTableSuite, RowLevelOperationSuiteBase}
import org.apache.spark.sql.connector.catalog.InMemoryRowLevelOperationTableCatalog
import org.apache.spark.sql.internal.StaticSQLConf

/** DELETE, UPDATE and MERGE of Spark's suites, on tables of ours. */
trait OurTablesSuite extends RowLevelOperationSuiteBase with PublishedSuite {

  protected def tables: Class[_]

  override protected def catalog: InMemoryRowLevelOperationTableCatalog = {
    spark.conf.set("spark.sql.catalog.cat", tables.getName)
    super.catalog
  }

  protected val inMemory = "says how Spark's in-memory table prunes and filters by its partitions"
}

/** Tables with a key. */
trait RowLevelSuite extends OurTablesSuite {

  override protected def tables: Class[_] = classOf[KeyedTables]

  private val keyStays = "an UPDATE may not change the primary key, as in the format's other engines"

  override protected def leftOut: Map[String, String] = Map(
    "delete with supported predicates gets converted" -> inMemory,
    "delete with schema pruning" -> inMemory,
    "update with schema pruning" -> inMemory,
    "some target filters are evaluated on data source side" -> inMemory,
    "merge into schema pruning" -> inMemory,
    "update with assignments to row ID" -> keyStays,
    "merge into with assignments to primary key" -> keyStays,
    "merge with <=>" -> keyStays,
    "nullable row ID attrs" -> "a key is never nullable here")
}

class SparkDeleteSuite extends DeltaBasedDeleteFromTableSuite with RowLevelSuite

class SparkUpdateSuite extends DeltaBasedUpdateTableSuite with RowLevelSuite

class SparkMergeSuite extends DeltaBasedMergeIntoTableSuite with RowLevelSuite

/** With our extension, which looks the rows of the target up by key. */
class SparkMergeByKeySuite extends SparkMergeSuite {

  override protected def sparkConf: SparkConf = super.sparkConf.set(
    StaticSQLConf.SPARK_SESSION_EXTENSIONS.key,
    s"${classOf[ObelusExtensions].getName},${classOf[DropWatch].getName}")
}

/** Tables without a key. */
trait UnkeyedSuite extends OurTablesSuite {

  override protected def tables: Class[_] = classOf[UnkeyedTables]

  override protected def leftOut: Map[String, String] = Map(
    "delete with supported predicates gets converted" -> inMemory,
    "delete with schema pruning" -> inMemory,
    "update with schema pruning" -> inMemory,
    "some target filters are evaluated on data source side" -> inMemory,
    "merge into schema pruning" -> inMemory,
    "delete with unsupported predicates cannot be converted" ->
      "a condition with OR over partition columns is no trouble here",
    "nullable row ID attrs" -> "a row is known by its place, which is never null")
}

class SparkUnkeyedDeleteSuite extends DeltaBasedDeleteFromTableSuite with UnkeyedSuite

class SparkUnkeyedUpdateSuite extends DeltaBasedUpdateTableSuite with UnkeyedSuite

class SparkUnkeyedMergeSuite extends DeltaBasedMergeIntoTableSuite with UnkeyedSuite
