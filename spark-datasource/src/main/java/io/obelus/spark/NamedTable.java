package io.obelus.spark;

import io.obelus.core.table.inspect.SystemTable;
import io.obelus.core.table.inspect.SystemTables;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.Identifier;

/**
 * What an identifier names: a table, {@code t}, or one of its system tables, {@code t$files}.
 *
 * @param table the table, also of a system table
 * @param system what stands behind the dollar sign, in lower case; null if nothing
 */
record NamedTable(Table table, String system) {

  private static final String READ_OPTIMIZED = "ro";
  private static final String BRANCH = "branch_";

  /** Finds tables by their plain names. */
  interface Finder {
    Optional<Table> find(Identifier identifier);
  }

  /**
   * Looks for a table of that very name, then for the table whose system table it is.
   *
   * @return empty if there is neither
   * @throws IllegalArgumentException if there is the table but no such system table
   */
  static Optional<NamedTable> find(Identifier identifier, Finder tables) {
    Optional<NamedTable> plain = tables.find(identifier).map(table -> new NamedTable(table, null));
    if (plain.isPresent()) {
      return plain;
    }
    Optional<Identifier> owner = owner(identifier);
    return owner
        .flatMap(tables::find)
        .map(table -> new NamedTable(table, known(table, suffix(identifier.name()))));
  }

  /** The table that a system table's name belongs to; empty if it is no such name. */
  static Optional<Identifier> owner(Identifier identifier) {
    String suffix = suffix(identifier.name());
    return suffix == null
        ? Optional.empty()
        : Optional.of(
            Identifier.of(
                identifier.namespace(),
                identifier.name().substring(0, identifier.name().length() - suffix.length() - 1)));
  }

  /** Null if the name has none; a branch is no system table. */
  private static String suffix(String name) {
    int dollar = name.lastIndexOf('$');
    boolean has = dollar > 0 && dollar < name.length() - 1 && name.indexOf('/', dollar) < 0;
    String suffix = has ? name.substring(dollar + 1).toLowerCase(Locale.ROOT) : null;
    return suffix == null || suffix.startsWith(BRANCH) ? null : suffix;
  }

  private static String known(Table table, String suffix) {
    if (suffix.equals(READ_OPTIMIZED) || SystemTables.find(suffix).isPresent()) {
      return suffix;
    }
    List<String> names = new ArrayList<>(SystemTables.names());
    names.add(READ_OPTIMIZED);
    throw new IllegalArgumentException(
        "%s has no system table '$%s'; it has %s"
            .formatted(
                table.name(),
                suffix,
                String.join(", ", names.stream().sorted().map(name -> "$" + name).toList())));
  }

  boolean isSystemTable() {
    return system != null;
  }

  String name() {
    return isSystemTable() ? table.name() + "$" + system : table.name();
  }

  /** The table for changes of it; IllegalArgumentException if it is a system table. */
  Table changeable(String change) {
    if (isSystemTable()) {
      throw new IllegalArgumentException(
          "%s is a system table of %s and can only be read: no %s"
              .formatted(name(), table.name(), change));
    }
    return table;
  }

  /** As Spark sees it, at the newest snapshot. */
  org.apache.spark.sql.connector.catalog.Table latest() {
    if (system == null) {
      return ObelusTable.latest(table, true);
    } else if (system.equals(READ_OPTIMIZED)) {
      return ObelusTable.readOptimized(table, null);
    }
    return new ObelusSystemTable(table, kind(), null);
  }

  /** As Spark sees it, at a snapshot; IllegalArgumentException if it is not about one. */
  org.apache.spark.sql.connector.catalog.Table at(Snapshot snapshot) {
    if (system == null) {
      return ObelusTable.at(table, snapshot);
    } else if (system.equals(READ_OPTIMIZED)) {
      return ObelusTable.readOptimized(table, snapshot);
    } else if (!kind().showsSnapshot()) {
      throw ObelusSystemTable.notOfOneSnapshot(name(), table);
    }
    return new ObelusSystemTable(table.atSchema(snapshot.schemaId()), kind(), snapshot);
  }

  private SystemTable kind() {
    return SystemTables.find(system).orElseThrow();
  }
}
