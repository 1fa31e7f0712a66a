package io.obelus.spark;

import io.obelus.spark.write.ObelusFunctions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.CatalogV2Util;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.DelegatingCatalogExtension;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Our tables beside all others in {@code spark_catalog}: {@code spark.sql.catalog.spark_catalog =
 * io.obelus.spark.ObelusSessionCatalog}.
 *
 * <p>Tables of {@code USING obelus} are kept as an {@link ObelusCatalog} keeps them, below the same
 * warehouse; everything else, databases included, is the session catalog's own business. A name
 * belongs to one of the two.
 */
public final class ObelusSessionCatalog extends DelegatingCatalogExtension
    implements StagingTableCatalog {

  private final ObelusCatalog ours = new ObelusCatalog();

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    super.initialize(name, options);
    Map<String, String> own = new HashMap<>(options.asCaseSensitiveMap());
    own.remove("defaultDatabase"); // Spark's own setting, which only spark_catalog can have
    ours.initialize(name, new CaseInsensitiveStringMap(own));
  }

  @Override
  public boolean useNullableQuerySchema() {
    return ours.useNullableQuerySchema();
  }

  // ---- databases

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade)
      throws NoSuchNamespaceException, NonEmptyNamespaceException {
    if (super.namespaceExists(namespace) && ours.namespaceExists(namespace)) {
      Identifier[] tables = ours.listTables(namespace);
      if (tables.length > 0 && !cascade) {
        throw new NonEmptyNamespaceException(namespace);
      }
      for (Identifier table : tables) {
        ours.dropTable(table);
      }
    }
    return super.dropNamespace(namespace, cascade);
  }

  // ---- tables

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    Identifier[] others = super.listTables(namespace);
    return ours.namespaceExists(namespace)
        ? Stream.concat(Arrays.stream(others), Arrays.stream(ours.listTables(namespace)))
            .distinct()
            .toArray(Identifier[]::new)
        : others;
  }

  @Override
  public boolean tableExists(Identifier identifier) {
    return ours.tableExists(identifier) || super.tableExists(identifier);
  }

  @Override
  public Table loadTable(Identifier identifier) throws NoSuchTableException {
    return ours.tableExists(identifier) ? ours.loadTable(identifier) : super.loadTable(identifier);
  }

  @Override
  public Table loadTable(Identifier identifier, String version) throws NoSuchTableException {
    return ours.tableExists(identifier)
        ? ours.loadTable(identifier, version)
        : super.loadTable(identifier, version);
  }

  @Override
  public Table loadTable(Identifier identifier, long micros) throws NoSuchTableException {
    return ours.tableExists(identifier)
        ? ours.loadTable(identifier, micros)
        : super.loadTable(identifier, micros);
  }

  @Override
  public Table createTable(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    if (!ObelusSource.isNamedIn(properties)) {
      checkNotOurs(identifier);
      return super.createTable(identifier, schema, partitions, properties);
    }
    prepare(identifier);
    checkNotOthers(identifier);
    return ours.createTable(identifier, schema, partitions, properties);
  }

  @Override
  public Table createTable(
      Identifier identifier,
      Column[] columns,
      Transform[] partitions,
      Map<String, String> properties)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    if (ObelusSource.isNamedIn(properties)) {
      return createTable(
          identifier, CatalogV2Util.v2ColumnsToStructType(columns), partitions, properties);
    }
    checkNotOurs(identifier);
    return super.createTable(identifier, columns, partitions, properties);
  }

  private void checkNotOurs(Identifier identifier) throws TableAlreadyExistsException {
    if (ours.tableExists(identifier)) {
      throw new TableAlreadyExistsException(identifier);
    }
  }

  private void checkNotOthers(Identifier identifier) throws TableAlreadyExistsException {
    if (!PathIdentifiers.isPath(identifier) && super.tableExists(identifier)) {
      throw new TableAlreadyExistsException(identifier);
    }
  }

  /** A database of the session needs a directory for our tables. */
  private void prepare(Identifier identifier) throws NoSuchNamespaceException {
    if (PathIdentifiers.isPath(identifier)) {
      return;
    }
    if (!super.namespaceExists(identifier.namespace())) {
      throw new NoSuchNamespaceException(identifier.namespace());
    }
    ours.ensureDatabase(identifier.namespace()[0]);
  }

  @Override
  public Table alterTable(Identifier identifier, TableChange... changes)
      throws NoSuchTableException {
    return ours.tableExists(identifier)
        ? ours.alterTable(identifier, changes)
        : super.alterTable(identifier, changes);
  }

  @Override
  public boolean dropTable(Identifier identifier) {
    return ours.tableExists(identifier) ? ours.dropTable(identifier) : super.dropTable(identifier);
  }

  @Override
  public boolean purgeTable(Identifier identifier) {
    return ours.tableExists(identifier)
        ? ours.purgeTable(identifier)
        : super.purgeTable(identifier);
  }

  @Override
  public void renameTable(Identifier from, Identifier to)
      throws NoSuchTableException, TableAlreadyExistsException {
    if (!ours.tableExists(from)) {
      checkNotOurs(to);
      super.renameTable(from, to);
      return;
    }
    checkNotOthers(to);
    if (super.namespaceExists(to.namespace())) {
      ours.ensureDatabase(to.namespace()[0]);
    }
    ours.renameTable(from, to);
  }

  // ---- CREATE and REPLACE … AS SELECT

  @Override
  public StagedTable stageCreate(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    if (ObelusSource.isNamedIn(properties)) {
      prepare(identifier);
      checkNotOthers(identifier);
      return ours.stageCreate(identifier, schema, partitions, properties);
    }
    Table table = createTable(identifier, schema, partitions, properties);
    return new UnstagedTable(table, () -> super.dropTable(identifier));
  }

  @Override
  public StagedTable stageReplace(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws NoSuchNamespaceException, NoSuchTableException {
    if (!tableExists(identifier)) {
      throw new NoSuchTableException(identifier);
    }
    return stageCreateOrReplace(identifier, schema, partitions, properties);
  }

  @Override
  public StagedTable stageCreateOrReplace(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws NoSuchNamespaceException {
    boolean isOurs = ObelusSource.isNamedIn(properties);
    boolean wasOurs = ours.tableExists(identifier);
    if (tableExists(identifier) && isOurs != wasOurs) {
      throw new IllegalArgumentException(
          "table " + identifier + " cannot be replaced by one of another provider; drop it first");
    }
    if (isOurs) {
      prepare(identifier);
      return ours.stageCreateOrReplace(identifier, schema, partitions, properties);
    }
    super.dropTable(identifier);
    try {
      Table table = super.createTable(identifier, schema, partitions, properties);
      return new UnstagedTable(table, () -> super.dropTable(identifier));
    } catch (TableAlreadyExistsException e) {
      throw new IllegalStateException(identifier + " came back while it was replaced", e);
    }
  }

  // ---- functions

  @Override
  public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
    if (identifier.namespace().length == 0 && ObelusFunctions.find(identifier.name()).isPresent()) {
      return ours.loadFunction(identifier);
    }
    return super.loadFunction(identifier);
  }

  @Override
  public boolean functionExists(Identifier identifier) {
    return (identifier.namespace().length == 0
            && ObelusFunctions.find(identifier.name()).isPresent())
        || super.functionExists(identifier);
  }
}
