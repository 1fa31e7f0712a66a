package io.obelus.core.catalog;

import io.obelus.core.io.CommitConflictException;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.schema.NewTable;
import io.obelus.core.table.schema.OptionChange;
import io.obelus.core.table.schema.SchemaChange;
import io.obelus.core.table.schema.Schemas;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.spark.sql.types.StructType;

/**
 * The databases and tables below a warehouse directory (spec chapter 01). Keeps nothing, so what
 * another process does is seen at once. Thread-safe.
 *
 * <pre>
 *   warehouse/sales.db/            database "sales"
 *   warehouse/sales.db/orders/     table "orders": it holds schema/schema-0
 * </pre>
 *
 * @param warehouse absolute path
 */
public record FileSystemCatalog(Storage storage, String warehouse) implements Serializable {

  /** A database that is always there; its directory is made with its first table. */
  public static final String DEFAULT_DATABASE = "default";

  private static final String SUFFIX = ".db";
  private static final int TRIES = 10; // of a schema change that others keep overtaking

  public FileSystemCatalog {
    while (warehouse.length() > 1 && warehouse.endsWith("/")) {
      warehouse = warehouse.substring(0, warehouse.length() - 1);
    }
  }

  /**
   * Refuses a warehouse that is not there, with IllegalArgumentException: it was misspelt, or a
   * disk is not mounted. Whoever uses a directory by default, made on demand, does not ask.
   */
  public void checkWarehouse() throws IOException {
    if (!storage.exists(warehouse)) {
      throw new IllegalArgumentException(
          "warehouse %s does not exist; check the path, or make the directory"
              .formatted(warehouse));
    }
  }

  /** Names of all databases, {@link #DEFAULT_DATABASE} among them, in order. */
  public List<String> databases() throws IOException {
    Set<String> names = new TreeSet<>(Set.of(DEFAULT_DATABASE));
    for (Storage.Entry entry : storage.list(warehouse)) {
      if (entry.isDirectory()
          && entry.name().endsWith(SUFFIX)
          && entry.name().length() > SUFFIX.length()) {
        names.add(entry.name().substring(0, entry.name().length() - SUFFIX.length()));
      }
    }
    return List.copyOf(names);
  }

  public boolean databaseExists(String database) throws IOException {
    return database.equals(DEFAULT_DATABASE)
        || (isName(database) && storage.exists(databaseDirectory(database)));
  }

  /** Where a database is, or would be. */
  public String databaseDirectory(String database) {
    return warehouse + "/" + named("database", database) + SUFFIX;
  }

  /** Where a table of the warehouse is, or would be. */
  public String tableDirectory(String database, String table) {
    return databaseDirectory(database) + "/" + named("table", table);
  }

  private static boolean isName(String name) {
    return !name.isBlank() && !name.startsWith(".") && name.indexOf('/') < 0;
  }

  private static String named(String what, String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          ("%s name '%s' cannot name a directory: it must not be empty, begin with a "
                  + "dot or hold a slash")
              .formatted(what, name));
    }
    return name;
  }

  /** Makes a database. */
  public void createDatabase(String database) throws IOException {
    String directory = databaseDirectory(database);
    if (storage.exists(directory)) {
      throw new AlreadyExistsException("database '" + database + "'");
    }
    storage.makeDirectory(directory);
  }

  /**
   * Deletes a database.
   *
   * @param cascade with all that is in it; else IllegalArgumentException if there is anything
   */
  public void dropDatabase(String database, boolean cascade) throws IOException {
    checkDatabase(database);
    String directory = databaseDirectory(database);
    List<String> left = storage.list(directory).stream().map(Storage.Entry::name).sorted().toList();
    if (!cascade && !left.isEmpty()) {
      throw new IllegalArgumentException(
          "database '%s' is not empty: %s holds %s; drop these first, or drop with CASCADE"
              .formatted(database, directory, left));
    }
    storage.deleteDirectory(directory);
  }

  private void checkDatabase(String database) throws IOException {
    if (!databaseExists(database)) {
      throw new NoSuchDatabaseException(database, warehouse, databases());
    }
  }

  /** Names of the tables of a database, in order. */
  public List<String> tables(String database) throws IOException {
    checkDatabase(database);
    Set<String> names = new TreeSet<>();
    for (Storage.Entry entry : storage.list(databaseDirectory(database))) {
      if (entry.isDirectory()
          && isName(entry.name())
          && isTable(tableDirectory(database, entry.name()))) {
        names.add(entry.name());
      }
    }
    return List.copyOf(names);
  }

  private boolean isTable(String directory) throws IOException {
    return !new Schemas(storage, new TableDirectory(directory)).ids().isEmpty();
  }

  /** A table of the warehouse at its latest schema; empty if there is none of that name. */
  public Optional<Table> table(String database, String table) throws IOException {
    return isName(database) && isName(table)
        ? tableAt(tableDirectory(database, table), database + "." + table)
        : Optional.empty();
  }

  /** The table in a directory anywhere, named by it; empty if there is none. */
  public Optional<Table> tableAt(String directory) throws IOException {
    return tableAt(directory, directory);
  }

  private Optional<Table> tableAt(String directory, String name) throws IOException {
    return tableAt(new TableDirectory(directory), name);
  }

  private Optional<Table> tableAt(TableDirectory place, String name) throws IOException {
    Schemas schemas = new Schemas(storage, place);
    return schemas.latest().map(schema -> new Table(name, storage, place, schema, schemas));
  }

  /** Makes a table of the warehouse; see {@link #createAt(String, String, NewTable)}. */
  public Table create(String database, String table, NewTable wanted) throws IOException {
    checkDatabase(database);
    return createAt(tableDirectory(database, table), database + "." + table, wanted);
  }

  /** As the other form, of Spark's columns. */
  public Table createAt(
      String directory,
      String name,
      StructType columns,
      List<String> partitionKeys,
      Map<String, String> options,
      String comment)
      throws IOException {
    return createAt(directory, name, NewTable.of(columns, partitionKeys, options, comment));
  }

  /**
   * Makes a table in a directory anywhere. Of several who try at once, one succeeds and the others
   * get {@link AlreadyExistsException}. IllegalArgumentException if the directory holds files of
   * something else: they would become part of the table.
   */
  public Table createAt(String directory, String name, NewTable wanted) throws IOException {
    TableSchema schema = wanted.schema(System.currentTimeMillis());
    TableDirectory place = new TableDirectory(directory);
    Schemas schemas = new Schemas(storage, place);
    if (!schemas.ids().isEmpty()) {
      throw new AlreadyExistsException("table '" + name + "'");
    }
    List<String> foreign =
        storage.list(place.root()).stream()
            .map(Storage.Entry::name)
            .filter(entry -> !entry.equals("schema"))
            .sorted()
            .toList();
    if (!foreign.isEmpty()) {
      throw new IllegalArgumentException(
          ("table '%s' cannot be made in %s: the directory is no table but holds %s; "
                  + "empty it or choose another")
              .formatted(name, directory, foreign));
    }
    if (!schemas.create(schema)) {
      throw new AlreadyExistsException("table '" + name + "'");
    }
    return new Table(name, storage, place, schema, schemas);
  }

  /**
   * Sets and removes options of a table, on top of what others change meanwhile.
   *
   * @return the table with its new schema
   */
  public Table alter(Table table, Map<String, String> set, Set<String> removed) throws IOException {
    return alter(table, new OptionChange(set, removed));
  }

  /**
   * Changes the schema of a table, on top of what others change meanwhile. Files stay as they are.
   *
   * @return the table with its new schema
   * @throws IllegalArgumentException if the schema, as it is by then, cannot be changed so
   * @throws CommitConflictException if others kept being faster
   */
  public Table alter(Table table, SchemaChange change) throws IOException {
    for (int tried = 0; tried < TRIES; tried++) {
      Table now = current(table);
      TableSchema next =
          change.applyTo(
              now.schema(), now.snapshots().latest().isPresent(), System.currentTimeMillis());
      if (next == now.schema() || now.schemas().create(next)) {
        return new Table(now.name(), storage, now.directory(), next, now.schemas());
      }
    }
    throw new CommitConflictException(
        "table '%s': %d other changes of its schema were faster; nothing is changed, try again"
            .formatted(table.name(), TRIES));
  }

  private Table current(Table table) throws IOException {
    return tableAt(table.directory(), table.name())
        .orElseThrow(() -> new NoSuchTableException(table.name(), table.directory().history()));
  }

  /** A branch comes and goes by other means, and its directory holds the whole table. */
  private static void checkMain(Table table) {
    if (!table.directory().isMain()) {
      throw new IllegalArgumentException(
          "%s is a branch and can neither be renamed nor dropped as a table"
              .formatted(table.name()));
    }
  }

  /**
   * Moves a table to another name, perhaps in another database; {@link AlreadyExistsException} if
   * there is one.
   *
   * @return the table in its new place
   */
  public Table rename(Table table, String database, String name) throws IOException {
    checkDatabase(database);
    checkMain(table);
    Table now = current(table);
    String target = tableDirectory(database, name);
    if (storage.exists(target)) {
      throw new AlreadyExistsException("table '" + database + "." + name + "'");
    }
    storage.rename(now.directory().root(), target);
    return tableAt(target, database + "." + name)
        .orElseThrow(() -> new NoSuchTableException(database + "." + name, target));
  }

  /**
   * Deletes a table with all its files. It is gone at once, under a hidden name; should deleting
   * die half-way, what is left of it is no table to anybody.
   */
  public void drop(Table table) throws IOException {
    checkMain(table);
    String root = current(table).directory().root();
    int name = root.lastIndexOf('/') + 1;
    String hidden =
        "%s.%s.%s.dropped"
            .formatted(root.substring(0, name), root.substring(name), UUID.randomUUID());
    storage.rename(root, hidden);
    storage.deleteDirectory(new TableDirectory(hidden).schemas());
    storage.deleteDirectory(hidden);
  }
}
