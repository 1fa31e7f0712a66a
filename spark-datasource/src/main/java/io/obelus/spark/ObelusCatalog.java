package io.obelus.spark;

import io.obelus.core.catalog.AlreadyExistsException;
import io.obelus.core.catalog.FileSystemCatalog;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import io.obelus.core.table.schema.SchemaChange;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TimeTravel;
import io.obelus.spark.write.ObelusFunctions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.TableCatalogCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * The tables below one warehouse directory, as a Spark catalog.
 *
 * <pre>
 *   spark.sql.catalog.lake            io.obelus.spark.ObelusCatalog
 *   spark.sql.catalog.lake.warehouse  /lake                 (else spark.sql.warehouse.dir)
 *   spark.sql.catalog.lake.table-default.bucket  8          (for tables made without that option)
 * </pre>
 *
 * <p>Other settings below its name are refused: with a slip in {@code warehouse}, tables would be
 * made somewhere else.
 *
 * <p>Namespaces have one level. A table can also be named by its directory, {@code lake.`/dir/t`},
 * wherever that is. Nothing is kept between calls, so what another process commits is seen at once.
 */
public final class ObelusCatalog
    implements StagingTableCatalog, SupportsNamespaces, FunctionCatalog {

  private static final Logger LOG = LoggerFactory.getLogger(ObelusCatalog.class);
  private static final String WAREHOUSE = "warehouse";
  private static final String TABLE_DEFAULT = "table-default.";

  private String name;
  private Map<String, String> tableDefaults = Map.of();
  private FileSystemCatalog tables;

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    this.name = name;
    options.asCaseSensitiveMap().keySet().forEach(this::checkKnown);
    this.tableDefaults = tableDefaults(options);
    String directory = options.get(WAREHOUSE);
    boolean isGiven = directory != null;
    this.tables =
        new FileSystemCatalog(
            storage(),
            PathIdentifiers.absolute(isGiven ? directory : SQLConf.get().warehousePath()));
    if (isGiven) {
      run(tables::checkWarehouse);
    }
  }

  private void checkKnown(String option) {
    if (!option.equalsIgnoreCase(WAREHOUSE) && !option.startsWith(TABLE_DEFAULT)) {
      throw new IllegalArgumentException(
          "setting 'spark.sql.catalog.%s.%s' is not known; a catalog of ours has '%s' and '%s<option of tables>'"
              .formatted(name, option, WAREHOUSE, TABLE_DEFAULT));
    }
  }

  private static Map<String, String> tableDefaults(CaseInsensitiveStringMap options) {
    Map<String, String> defaults = new HashMap<>();
    options
        .asCaseSensitiveMap()
        .forEach(
            (option, value) -> {
              if (option.startsWith(TABLE_DEFAULT)) {
                defaults.put(option.substring(TABLE_DEFAULT.length()), value);
              }
            });
    return defaults;
  }

  private static Storage storage() {
    return new HadoopStorage(SparkSession.active().sessionState().newHadoopConf());
  }

  @Override
  public String name() {
    return name;
  }

  /** Columns have a DEFAULT: what an INSERT writes that leaves them out. */
  @Override
  public Set<TableCatalogCapability> capabilities() {
    return Set.of(TableCatalogCapability.SUPPORT_COLUMN_DEFAULT_VALUE);
  }

  @Override
  public String[] defaultNamespace() {
    return new String[] {FileSystemCatalog.DEFAULT_DATABASE};
  }

  @Override
  public boolean useNullableQuerySchema() {
    return false; // a key column that is NOT NULL in the query stays so
  }

  // ---- namespaces

  @Override
  public String[][] listNamespaces() {
    return io(tables::databases).stream()
        .map(database -> new String[] {database})
        .toArray(String[][]::new);
  }

  @Override
  public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length == 0) {
      return listNamespaces();
    }
    checkExists(namespace);
    return new String[0][];
  }

  @Override
  public boolean namespaceExists(String[] namespace) {
    return namespace.length == 1 && io(() -> tables.databaseExists(namespace[0]));
  }

  private void checkExists(String[] namespace) throws NoSuchNamespaceException {
    if (!namespaceExists(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    checkExists(namespace);
    return Map.of(SupportsNamespaces.PROP_LOCATION, tables.databaseDirectory(namespace[0]));
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata)
      throws NamespaceAlreadyExistsException {
    if (namespace.length != 1) {
      throw new IllegalArgumentException(
          "namespace '" + String.join(".", namespace) + "' should have one level");
    }
    metadata.forEach(
        (property, value) -> {
          if (!property.equals(SupportsNamespaces.PROP_OWNER)) {
            throw new IllegalArgumentException(
                "property '"
                    + property
                    + "' of a database cannot be kept: a database is just a"
                    + " directory of the warehouse");
          }
        });
    if (io(() -> tables.databaseExists(namespace[0]))) {
      throw new NamespaceAlreadyExistsException(namespace);
    }
    run(() -> tables.createDatabase(namespace[0]));
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes) {
    throw new UnsupportedOperationException(
        "ALTER DATABASE cannot be had: a database is just a directory of the warehouse");
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade)
      throws NoSuchNamespaceException, NonEmptyNamespaceException {
    checkExists(namespace);
    if (!cascade && listTables(namespace).length > 0) {
      throw new NonEmptyNamespaceException(namespace);
    }
    run(() -> tables.dropDatabase(namespace[0], cascade));
    return true;
  }

  /** Makes the directory of a database that a session catalog knows, if it is missing. */
  void ensureDatabase(String database) {
    if (!io(() -> tables.databaseExists(database))) {
      run(() -> tables.createDatabase(database));
    }
  }

  // ---- tables

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    checkExists(namespace);
    return io(() -> tables.tables(namespace[0])).stream()
        .map(table -> Identifier.of(namespace, table))
        .toArray(Identifier[]::new);
  }

  @Override
  public boolean tableExists(Identifier identifier) {
    return find(identifier).isPresent();
  }

  @Override
  public org.apache.spark.sql.connector.catalog.Table loadTable(Identifier identifier)
      throws NoSuchTableException {
    var table = named(identifier).latest();
    return identifier instanceof MergingIdentifier && table instanceof ObelusTable ours
        ? ours.merging()
        : table;
  }

  @Override
  public org.apache.spark.sql.connector.catalog.Table loadTable(
      Identifier identifier, String version) throws NoSuchTableException {
    NamedTable named = named(identifier);
    return named.at(io(() -> new TimeTravel(named.table()).version(version)));
  }

  @Override
  public org.apache.spark.sql.connector.catalog.Table loadTable(Identifier identifier, long micros)
      throws NoSuchTableException {
    NamedTable named = named(identifier);
    long millis = Math.floorDiv(micros, 1000L);
    return named.at(io(() -> new TimeTravel(named.table()).asOf(millis)));
  }

  private NamedTable named(Identifier identifier) throws NoSuchTableException {
    return find(identifier).orElseThrow(() -> missing(identifier));
  }

  private static NoSuchTableException missing(Identifier identifier) {
    return PathIdentifiers.isPath(identifier)
        ? new NoSuchTableException(
            "There is no table at "
                + PathIdentifiers.absolute(identifier.name())
                + ". Check the path; to make a table there write without a mode:"
                + " df.write.format(\"obelus\").option(\"primary-key\", …).save(path). Modes append"
                + " and overwrite are for a table that is there.",
            Option.empty())
        : new NoSuchTableException(identifier);
  }

  /** The table that a statement changes. */
  private Table changeable(Identifier identifier, String statement) throws NoSuchTableException {
    return named(identifier).changeable(statement);
  }

  private Optional<NamedTable> find(Identifier identifier) {
    return NamedTable.find(identifier, this::plain);
  }

  private Optional<Table> plain(Identifier identifier) {
    if (PathIdentifiers.isPath(identifier)) {
      return io(() -> tables.tableAt(PathIdentifiers.absolute(identifier.name())));
    }
    return identifier.namespace().length == 1
        ? io(() -> tables.table(identifier.namespace()[0], identifier.name()))
        : Optional.empty();
  }

  /**
   * The table in a directory, or a branch of it, outside of any catalog.
   *
   * @param hasFunctionCatalog see {@link ObelusTable#latest}
   */
  static ObelusTable atPath(String path, boolean hasFunctionCatalog) {
    Identifier directory = PathIdentifiers.of(path);
    FileSystemCatalog tables = new FileSystemCatalog(storage(), directory.name());
    return NamedTable.find(directory, named -> io(() -> tables.tableAt(named.name())))
        .map(named -> ObelusTable.latest(named.changeable("STREAM"), hasFunctionCatalog))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no table at '"
                        + directory.name()
                        + "': it has no file schema/schema-0"));
  }

  @Override
  public ObelusTable createTable(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    checkFree(identifier);
    try {
      return create(identifier, directory(identifier), definition(schema, partitions, properties));
    } catch (AlreadyExistsException e) {
      throw new TableAlreadyExistsException(identifier); // somebody was faster
    }
  }

  private TableDefinition definition(
      StructType schema, Transform[] partitions, Map<String, String> properties) {
    return TableDefinition.of(schema, partitions, properties, tableDefaults);
  }

  private void checkFree(Identifier identifier)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    checkPlace(identifier);
    refuseDollar(identifier, "CREATE TABLE");
    if (tableExists(identifier)) {
      throw new TableAlreadyExistsException(identifier);
    }
  }

  /** A name with a dollar sign would stand in the way of a system table or a branch. */
  private void refuseDollar(Identifier identifier, String statement) {
    if (!PathIdentifiers.isPath(identifier)
        && identifier.name().indexOf('$') >= 0
        && plain(identifier).isEmpty()) {
      throw new IllegalArgumentException(
          ("%s: the name '%s' has a dollar sign, which stands before the name of a system table or"
                  + " a branch")
              .formatted(statement, identifier.name()));
    }
  }

  private void checkPlace(Identifier identifier) throws NoSuchNamespaceException {
    if (!PathIdentifiers.isPath(identifier)) {
      checkExists(identifier.namespace());
    }
  }

  private String directory(Identifier identifier) {
    return PathIdentifiers.isPath(identifier)
        ? PathIdentifiers.absolute(identifier.name())
        : tables.tableDirectory(identifier.namespace()[0], identifier.name());
  }

  private ObelusTable create(Identifier identifier, String directory, TableDefinition definition) {
    return ObelusTable.latest(
        io(
            () ->
                tables.createAt(
                    directory,
                    identifier.toString(),
                    definition.columns(),
                    definition.partitionKeys(),
                    definition.options(),
                    definition.comment())),
        true);
  }

  @Override
  public ObelusTable alterTable(Identifier identifier, TableChange... changes)
      throws NoSuchTableException {
    Table table = changeable(identifier, "ALTER TABLE");
    SchemaChange change = AlterStatement.change(changes);
    return ObelusTable.latest(io(() -> tables.alter(table, change)), true);
  }

  @Override
  public boolean dropTable(Identifier identifier) {
    Optional<Table> table = find(identifier).map(found -> found.replaceable("DROP TABLE"));
    table.ifPresent(found -> run(() -> tables.drop(found)));
    return table.isPresent();
  }

  /** The same as {@link #dropTable}: there is no trash. */
  @Override
  public boolean purgeTable(Identifier identifier) {
    return dropTable(identifier);
  }

  @Override
  public void renameTable(Identifier from, Identifier wanted)
      throws NoSuchTableException, TableAlreadyExistsException {
    Identifier to = inFull(from, wanted);
    if (PathIdentifiers.isPath(from) || PathIdentifiers.isPath(to)) {
      throw new IllegalArgumentException(
          "a table named by its path cannot be renamed: " + from + " to " + to);
    }
    Table table = named(from).replaceable("ALTER TABLE … RENAME TO");
    refuseDollar(to, "ALTER TABLE … RENAME TO");
    if (tableExists(to)) {
      throw new TableAlreadyExistsException(to);
    }
    if (!namespaceExists(to.namespace())) {
      throw new IllegalArgumentException(
          "cannot rename " + from + " to " + to + ": there is no such database");
    }
    io(() -> tables.rename(table, to.namespace()[0], to.name()));
  }

  /** Spark takes the catalog for a part of the new name, and no database for none. */
  private Identifier inFull(Identifier from, Identifier to) {
    String[] namespace = to.namespace();
    if (namespace.length == 0) {
      return Identifier.of(from.namespace(), to.name());
    }
    return namespace.length == 2 && namespace[0].equalsIgnoreCase(name())
        ? Identifier.of(new String[] {namespace[1]}, to.name())
        : to;
  }

  // ---- CREATE and REPLACE … AS SELECT

  @Override
  public StagedTable stageCreate(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    checkFree(identifier);
    return new StagedObelusTable(
        identifier.toString(), definition(schema, partitions, properties), new InPlace(identifier));
  }

  @Override
  public StagedTable stageReplace(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws NoSuchNamespaceException, NoSuchTableException {
    checkPlace(identifier);
    return new StagedObelusTable(
        identifier.toString(),
        definition(schema, partitions, properties),
        new Aside(identifier, named(identifier).replaceable("REPLACE TABLE")));
  }

  @Override
  public StagedTable stageCreateOrReplace(
      Identifier identifier,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties)
      throws NoSuchNamespaceException {
    checkPlace(identifier);
    refuseDollar(identifier, "CREATE OR REPLACE TABLE");
    Optional<Table> old = find(identifier).map(found -> found.replaceable("REPLACE TABLE"));
    return new StagedObelusTable(
        identifier.toString(),
        definition(schema, partitions, properties),
        old.isPresent() ? new Aside(identifier, old.get()) : new InPlace(identifier));
  }

  /** A new table is made where it will be, and dropped again if its query fails. */
  private final class InPlace implements StagedObelusTable.Stage {

    private final Identifier identifier;

    InPlace(Identifier identifier) {
      this.identifier = identifier;
    }

    @Override
    public ObelusTable make(TableDefinition definition) {
      return create(identifier, directory(identifier), definition);
    }

    @Override
    public void publish() {}

    @Override
    public void discard() {
      dropTable(identifier);
    }
  }

  /**
   * A replacement is made beside the old table. At the end the old one moves away and the new one
   * moves in: two renames, and nothing of the old table is touched before.
   */
  private final class Aside implements StagedObelusTable.Stage {

    private final Identifier identifier;
    private final Table old;
    private final String place;

    Aside(Identifier identifier, Table old) {
      this.identifier = identifier;
      this.old = old;
      this.place = beside("new");
    }

    /** A hidden sibling of the old table's directory. */
    private String beside(String what) {
      String root = old.directory().root();
      int name = root.lastIndexOf('/') + 1;
      return root.substring(0, name)
          + "."
          + root.substring(name)
          + "."
          + what
          + "-"
          + UUID.randomUUID();
    }

    @Override
    public ObelusTable make(TableDefinition definition) {
      return create(identifier, place, definition);
    }

    @Override
    public void publish() {
      String root = old.directory().root();
      String away = beside("old");
      run(() -> tables.storage().rename(root, away));
      try {
        tables.storage().rename(place, root);
      } catch (IOException e) {
        run(() -> tables.storage().rename(away, root));
        throw new UncheckedIOException(e);
      }
      try {
        tables.storage().deleteDirectory(away);
      } catch (IOException e) {
        LOG.warn("{} is replaced, but its old files are left in {}", identifier, away, e);
      }
    }

    @Override
    public void discard() {
      run(() -> tables.storage().deleteDirectory(place));
    }
  }

  // ---- functions

  @Override
  public Identifier[] listFunctions(String[] namespace) {
    return new Identifier[0];
  }

  @Override
  public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
    return Optional.of(identifier)
        .filter(wanted -> wanted.namespace().length == 0)
        .flatMap(wanted -> ObelusFunctions.find(wanted.name()))
        .orElseThrow(() -> new NoSuchFunctionException(identifier));
  }

  // ---- errors of the file system

  private interface Reading<T> {
    T get() throws IOException;
  }

  private interface Changing {
    void run() throws IOException;
  }

  private static <T> T io(Reading<T> reading) {
    try {
      return reading.get();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(Changing changing) {
    try {
      changing.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
