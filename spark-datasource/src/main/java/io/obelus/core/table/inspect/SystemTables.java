package io.obelus.core.table.inspect;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The system tables that every table has, by name. */
public final class SystemTables {

  private static final List<SystemTable> ALL =
      List.of(
          new SnapshotsTable(),
          new SchemasTable(),
          new OptionsTable(),
          new FilesTable(),
          new ManifestsTable(),
          new TagsTable(),
          new BranchesTable(),
          new PartitionsTable(),
          new BucketsTable(),
          new TableIndexesTable(),
          new StatisticsTable(),
          new DeletionBitmapsTable(),
          new LevelsTable(),
          new FileIndexesTable());

  private SystemTables() {}

  /**
   * The system table of that name.
   *
   * @param name in any case, without the dollar sign
   */
  public static Optional<SystemTable> find(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return ALL.stream().filter(table -> table.name().equals(lower)).findFirst();
  }

  /** All names, in lower case. */
  public static List<String> names() {
    return ALL.stream().map(SystemTable::name).toList();
  }
}
