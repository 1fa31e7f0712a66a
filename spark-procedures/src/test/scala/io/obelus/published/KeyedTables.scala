package io.obelus.published

import java.nio.file.Files
import java.util.{HashMap => JHashMap, Map => JMap}

import scala.collection.JavaConverters._

import io.obelus.ObelusSession
import io.obelus.spark.ObelusCatalog
import org.apache.spark.sql.connector.catalog.{Column, FunctionCatalog, Identifier, InMemoryRowLevelOperationTableCatalog, Table}
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * The catalog that Spark's row-level suites insist on, with our tables in it: the first column that
 * may not be null is the key; partitions are left aside, as they would have to be part of it.
 */
class KeyedTables extends InMemoryRowLevelOperationTableCatalog with FunctionCatalog {

  private val ours = new ObelusCatalog

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = {
    super.initialize(name, options)
    val settings = new JHashMap[String, String](options)
    val warehouse = Files.createTempDirectory(ObelusSession.warehouse, "keyed")
    settings.put("warehouse", warehouse.toString)
    ours.initialize(name, new CaseInsensitiveStringMap(settings))
  }

  override def createTable(
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: JMap[String, String]): Table =
    create(ident, schema.find(!_.nullable).map(_.name), properties) {
      ours.createTable(ident, schema, kept(partitions), _)
    }

  override def createTable(
      ident: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: JMap[String, String]): Table =
    create(ident, columns.find(!_.nullable).map(_.name), properties) {
      ours.createTable(ident, columns, kept(partitions), _)
    }

  /** The partitions that a table is made with. */
  protected def kept(partitions: Array[Transform]): Array[Transform] = Array.empty

  /** What makes a table one that rows can be changed in. */
  protected def options(key: Option[String]): Map[String, String] =
    key.fold(Map.empty[String, String])(name => Map("primary-key" -> name, "bucket" -> "2"))

  private def create(ident: Identifier, key: Option[String], properties: JMap[String, String])(
      make: JMap[String, String] => Table): Table = {
    if (!ours.namespaceExists(ident.namespace)) {
      ours.createNamespace(ident.namespace, Map.empty[String, String].asJava)
    }
    if (ours.tableExists(ident)) {
      ours.dropTable(ident)
    }
    val keyed = new JHashMap[String, String](properties)
    keyed.putAll(options(key).asJava)
    val table = make(keyed)
    tables.put(ident, table)
    namespaces.putIfAbsent(ident.namespace.toList, Map.empty)
    table
  }

  override def loadTable(ident: Identifier): Table =
    if (tables.containsKey(ident)) ours.loadTable(ident) else super.loadTable(ident)

  override def dropTable(ident: Identifier): Boolean = {
    if (tables.containsKey(ident)) {
      ours.dropTable(ident)
    }
    super.dropTable(ident)
  }

  override def listFunctions(namespace: Array[String]): Array[Identifier] =
    ours.listFunctions(namespace)

  override def loadFunction(ident: Identifier): UnboundFunction = ours.loadFunction(ident)
}

/** The same with tables that have no key. */
class UnkeyedTables extends KeyedTables {

  override protected def kept(partitions: Array[Transform]): Array[Transform] = partitions

  override protected def options(key: Option[String]): Map[String, String] =
    Map("deletion-vectors.enabled" -> "true")
}
