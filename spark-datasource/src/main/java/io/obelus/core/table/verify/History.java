package io.obelus.core.table.verify;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Snapshots;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tags;

/**
 * The snapshots and tags of a table, or of one of its branches, whose manifests and data lie among
 * those of the table.
 *
 * @param known a snapshot that is looked at elsewhere, entry by entry; null if none is
 */
record History(
    Table table,
    Snapshot known,
    TableDirectory directory,
    Snapshots snapshots,
    Tags tags,
    Places places,
    FileSizes sizes) {

  /**
   * One of the histories of a table.
   *
   * @param directory of the table with that history
   */
  static History of(Table table, TableDirectory directory, Snapshot known, FileSizes sizes) {
    Storage storage = table.storage();
    boolean own = directory.equals(table.directory());
    return new History(
        table,
        own ? known : null,
        directory,
        new Snapshots(storage, directory),
        new Tags(storage, directory),
        Places.of(table),
        sizes);
  }

  /** Name of the table or branch. */
  String name() {
    TableDirectory shown = table.directory();
    String suffix = shown.isMain() ? "" : Table.BRANCH_SUFFIX + shown.branch();
    String name = table.name();
    String main = name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    return directory.isMain() ? main : main + Table.BRANCH_SUFFIX + directory.branch();
  }
}
