package io.obelus.core.table.snapshot;

import io.obelus.core.file.data.FileSchemas;
import io.obelus.core.file.deletion.DeletionFiles;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.schema.Schemas;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import java.io.IOException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** What stands between the name of a table and that of its branch. */
  public static final String BRANCH_SUFFIX = "$branch_";

  /**
   * The table at its latest schema; IllegalArgumentException if there is none in that directory.
   *
   * @param path absolute path of the table's directory
   */
  public static Table open(Storage storage, String path, String name) throws IOException {
    TableDirectory directory = new TableDirectory(path);
    Schemas schemas = new Schemas(storage, directory);
    TableSchema latest =
        schemas
            .latest()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no table in %s: no file %s; create it first, or check the path"
                            .formatted(path, directory.schema(0))));
    return new Table(name, storage, directory, latest, schemas);
  }

  /**
   * A branch of the table at the branch's latest schema, named {@code t$branch_b}. Schemas,
   * snapshots and tags are those of the branch; a commit goes to it.
   *
   * @throws IllegalArgumentException naming the branches there are, if it is not one
   */
  public Table onBranch(String branch) throws IOException {
    TableDirectory place = directory.onBranch(branch);
    Schemas ofBranch = new Schemas(storage, place);
    TableSchema latest = branches().exists(branch) ? ofBranch.latest().orElse(null) : null;
    if (latest == null) {
      List<String> names = branches().names();
      throw new IllegalArgumentException(
          "%s has no branch '%s'; it has %s"
              .formatted(name, branch, names.isEmpty() ? "none" : String.join(", ", names)));
    }
    return new Table(name + BRANCH_SUFFIX + branch, storage, place, latest, ofBranch);
  }

  /** The same table with an older schema: the one of a snapshot that is travelled to. */
  public Table atSchema(long schemaId) {
    return schemaId == schema.id()
        ? this
        : new Table(name, storage, directory, schemas.get(schemaId), schemas);
  }

  /** The same table on another way to its files; schemas that are known stay so. */
  public Table on(Storage other) {
    return new Table(name, other, directory, schema, schemas);
  }

  /** The same table with options set, for what follows: nothing of it is stored. */
  public Table withOptions(Map<String, String> more) {
    Map<String, String> options = new HashMap<>(schema.options());
    options.putAll(more);
    TableSchema overlaid =
        new TableSchema(
            schema.version(),
            schema.id(),
            schema.rowType(),
            schema.highestFieldId(),
            schema.partitionKeys(),
            schema.primaryKeys(),
            options,
            schema.comment(),
            schema.timeMillis());
    return new Table(name, storage, directory, overlaid, schemas);
  }

  public TableOptions options() {
    return new TableOptions(schema);
  }

  public Snapshots snapshots() {
    return new Snapshots(storage, directory);
  }

  public Tags tags() {
    return new Tags(storage, directory);
  }

  public Branches branches() {
    return new Branches(storage, directory);
  }

  public Consumers consumers() {
    return new Consumers(storage, directory);
  }

  public StatisticsFiles statisticsFiles() {
    return new StatisticsFiles(this);
  }

  public DeletionFiles deletionFiles() {
    return new DeletionFiles(storage, directory.root() + "/index");
  }

  public FileSchemas fileSchemas() {
    return schemas;
  }
}
