package io.obelus.testing;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;

/**
 * Tables of Apache Paimon itself, to write what we must read and to read what we wrote. Its
 * warehouse is a directory of the local disk; another directory beside it is its scratch space.
 *
 * <pre>{@code
 * PaimonTable t =
 *     new PaimonTables(tempDir)
 *         .create(
 *             "t",
 *             List.of("k BIGINT NOT NULL", "v STRING"),
 *             List.of(), // partition
 *             List.of("k"), // primary key
 *             Map.of("bucket", "2", "deletion-vectors.enabled", "true"));
 * t.write(insert(1L, "a"), delete(2L, null));
 * assertThat(t.rows()).containsExactly(List.of(1L, "a"));
 * }</pre>
 */
public final class PaimonTables {

  private static final String DATABASE = "db";

  private final Path warehouse;
  private final Path scratch;

  /**
   * @param directory empty or used by a PaimonTables before
   */
  public PaimonTables(Path directory) {
    this.warehouse = directory.resolve("warehouse");
    this.scratch = directory.resolve("scratch");
  }

  /**
   * Makes the table {@code warehouse/db.db/<name>}.
   *
   * @param columns as in SQL, such as {@code "k BIGINT NOT NULL"}; atomic types only
   */
  public PaimonTable create(
      String name,
      List<String> columns,
      List<String> partitionKeys,
      List<String> primaryKey,
      Map<String, String> options)
      throws Exception {
    return create(name, columns(columns), partitionKeys, primaryKey, options);
  }

  /** Columns without parts, as in SQL. */
  static RowType columns(List<String> columns) {
    List<Column> typed = new ArrayList<>();
    for (String column : columns) {
      String[] nameAndType = column.split(" ", 2);
      typed.add(new Column(typed.size(), nameAndType[0], ColumnTypes.parse(nameAndType[1])));
    }
    return new RowType(typed);
  }

  /** As the other form, for columns of any type. */
  public PaimonTable create(
      String name,
      RowType columns,
      List<String> partitionKeys,
      List<String> primaryKey,
      Map<String, String> options)
      throws Exception {
    Schema.Builder schema = Schema.newBuilder();
    columns.columns().forEach(c -> schema.column(c.name(), PaimonRows.type(c.type())));
    schema.partitionKeys(partitionKeys).primaryKey(primaryKey).options(options);
    CatalogContext context =
        CatalogContext.create(new org.apache.paimon.fs.Path(warehouse.toString()));
    try (Catalog catalog = CatalogFactory.createCatalog(context)) {
      catalog.createDatabase(DATABASE, true);
      catalog.createTable(Identifier.create(DATABASE, name), schema.build(), false);
    }
    return open(warehouse.resolve(DATABASE + ".db").resolve(name));
  }

  /** The table in a directory, whoever made it, as its newest schema says. */
  public PaimonTable open(Path directory) throws IOException {
    Files.createDirectories(scratch);
    FileStoreTable table =
        FileStoreTableFactory.create(
            LocalFileIO.create(), new org.apache.paimon.fs.Path(directory.toString()));
    return new PaimonTable(this, directory, table, scratch);
  }

  /** A copy of a table's directory, so that trying something on it leaves the table alone. */
  PaimonTable copyOf(Path directory) throws IOException {
    Files.createDirectories(scratch);
    Path copy = Files.createTempDirectory(scratch, "copy").resolve(directory.getFileName());
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, copy.resolve(directory.relativize(file).toString()));
      }
    }
    return open(copy);
  }
}
