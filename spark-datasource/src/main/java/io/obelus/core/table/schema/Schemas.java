package io.obelus.core.table.schema;

import io.obelus.core.file.data.FileSchemas;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.util.Optional;

/**
 * The schema files of one table. Thread-safe; a schema once read is kept, since schema files never
 * change.
 */
public final class Schemas implements FileSchemas {

  private static final long serialVersionUID = 1;

  public Schemas(Storage storage, TableDirectory directory) {
    throw new UnsupportedOperationException("to be written");
  }

  /** The schema with the largest id; empty if the directory holds no table. */
  public Optional<TableSchema> latest() throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** The schema of this id; CorruptFileException if its file is missing or wrong. */
  public TableSchema get(long id) {
    throw new UnsupportedOperationException("to be written");
  }

  /** Creates schema file {@code schema.id()}; false if it exists already. */
  public boolean create(TableSchema schema) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  @Override
  public RowType rowType(long schemaId) {
    return get(schemaId).rowType();
  }
}
