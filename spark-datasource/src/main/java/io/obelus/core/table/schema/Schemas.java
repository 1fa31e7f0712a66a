package io.obelus.core.table.schema;

import io.obelus.core.file.data.FileSchemas;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.row.RowType;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The schema files of one table. Thread-safe; a schema once read is kept, since schema files never
 * change.
 */
public final class Schemas implements FileSchemas {

  private static final long serialVersionUID = 1;
  private static final String PREFIX = "schema-";

  private final Storage storage;
  private final TableDirectory directory;
  private final ConcurrentHashMap<Long, TableSchema> known = new ConcurrentHashMap<>();

  public Schemas(Storage storage, TableDirectory directory) {
    this.storage = storage;
    this.directory = directory;
  }

  /** The schema with the largest id; empty if the directory holds no table. */
  public Optional<TableSchema> latest() throws IOException {
    OptionalLong latest = ids().stream().mapToLong(Long::longValue).max();
    return latest.isPresent() ? Optional.of(load(latest.getAsLong())) : Optional.empty();
  }

  /** All ids, ascending; empty if the directory holds no table. */
  public List<Long> ids() throws IOException {
    return storage.list(directory.schemas()).stream()
        .map(Storage.Entry::name)
        .filter(name -> name.matches(PREFIX + "\\d{1,18}"))
        .map(name -> Long.valueOf(name.substring(PREFIX.length())))
        .sorted()
        .toList();
  }

  /** The schema of this id; CorruptFileException if its file is missing or wrong. */
  public TableSchema get(long id) {
    try {
      return load(id);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read " + directory.schema(id) + ": " + e.getMessage(), e);
    }
  }

  private TableSchema load(long id) throws IOException {
    TableSchema schema = known.get(id);
    if (schema == null) {
      schema = read(id);
      known.put(id, schema);
    }
    return schema;
  }

  private TableSchema read(long id) throws IOException {
    String file = directory.schema(id);
    try {
      return SchemaFormat.read(file, id, storage.read(file));
    } catch (FileNotFoundException e) {
      throw new CorruptFileException(Place.startOf(file), "the schema file is missing", e);
    }
  }

  /**
   * Whether the table still has this schema, as far as it says how rows are stored: its columns and
   * keys. Read anew: the table may have been dropped and created again, or gone forward to a
   * branch.
   */
  public boolean has(TableSchema schema) throws IOException {
    if (!ids().contains(schema.id())) {
      return false;
    }
    TableSchema stored = read(schema.id());
    return stored.rowType().equals(schema.rowType())
        && stored.primaryKeys().equals(schema.primaryKeys())
        && stored.partitionKeys().equals(schema.partitionKeys());
  }

  /** Creates schema file {@code schema.id()}; false if it exists already. */
  public boolean create(TableSchema schema) throws IOException {
    return storage.createIfAbsent(directory.schema(schema.id()), SchemaFormat.write(schema));
  }

  @Override
  public RowType rowType(long schemaId) {
    return get(schemaId).rowType();
  }

  @Override
  public boolean deletionBitmaps(long schemaId) {
    return new TableOptions(get(schemaId)).deletionCoding().isPresent();
  }
}
