package io.obelus.core.table.snapshot;

import io.obelus.core.file.data.FileSchemas;
import io.obelus.core.file.deletion.DeletionFiles;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.schema.Schemas;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import java.io.Serializable;

/**
 * One table: where it is and what it looks like now. Its content is in its snapshots. Immutable,
 * thread-safe, serializable.
 *
 * @param name as shown to people: {@code db.t} or the path
 * @param schema the one to read and write with
 */
public record Table(
    String name, Storage storage, TableDirectory directory, TableSchema schema, Schemas schemas)
    implements Serializable {

  public TableOptions options() {
    return new TableOptions(schema);
  }

  public Snapshots snapshots() {
    return new Snapshots(storage, directory);
  }

  public DeletionFiles deletionFiles() {
    return new DeletionFiles(storage, directory.root() + "/index");
  }

  public FileSchemas fileSchemas() {
    return schemas;
  }
}
