package io.obelus.published

import org.apache.spark.sql.connector.{DeltaBasedDeleteFromTableSuite, DeltaBasedMergeIntoTableSuite, DeltaBasedUpdateTableSuite, RowLevelOperationSuiteBase}
import org.apache.spark.sql.connector.catalog.InMemoryRowLevelOperationTableCatalog

/** DELETE, UPDATE and MERGE of Spark's suites, on keyed tables. */
trait RowLevelSuite extends RowLevelOperationSuiteBase with PublishedSuite {

  override protected def catalog: InMemoryRowLevelOperationTableCatalog = {
    spark.conf.set("spark.sql.catalog.cat", classOf[KeyedTables].getName)
    super.catalog
  }

  override protected def leftOut: Map[String, String] = Map.empty
}

class SparkDeleteSuite extends DeltaBasedDeleteFromTableSuite with RowLevelSuite

class SparkUpdateSuite extends DeltaBasedUpdateTableSuite with RowLevelSuite

class SparkMergeSuite extends DeltaBasedMergeIntoTableSuite with RowLevelSuite
