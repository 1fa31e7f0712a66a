package io.obelus.spark;

import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.inspect.SystemTable;
import io.obelus.core.table.inspect.SystemTables;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Identifier;

/**
 * What an identifier names: a table, {@code t}, one of its branches, {@code t$branch_b}, or a
 * system table of either, {@code t$files}.
 *
 * @param table the table or branch, also of a system table
 * @param system what stands behind the last dollar sign, in lower case; null if nothing
 */
record NamedTable(Table table, String system) {

  private static final String READ_OPTIMIZED = "ro";
  private static final String CHANGES = "changes";
  private static final String BRANCH = "branch_";

  /** Those whose rows are rows of the table. */
  private static final Set<String> OF_ROWS = Set.of(READ_OPTIMIZED, CHANGES);

  /** Finds tables by their plain names. */
  interface Finder {
    Optional<Table> find(Identifier identifier);
  }

  /**
   * Looks for a table of that very name, then for the table whose branch or system table it is.
   *
   * @return empty if there is neither
   * @throws IllegalArgumentException if there is the table but no such branch or system table
   */
  static Optional<NamedTable> find(Identifier identifier, Finder tables) {
    Optional<NamedTable> plain = tables.find(identifier).map(table -> new NamedTable(table, null));
    String name = identifier.name();
    int dollar = name.lastIndexOf('$');
    if (plain.isPresent()
        || dollar <= 0
        || dollar == name.length() - 1
        || name.indexOf('/', dollar) >= 0) {
      return plain;
    }
    Identifier owner = Identifier.of(identifier.namespace(), name.substring(0, dollar));
    return find(owner, tables).flatMap(found -> found.with(name.substring(dollar + 1)));
  }

  /** The branch or system table of this one; empty if a system table is asked for it. */
  private Optional<NamedTable> with(String suffix) {
    if (isSystemTable()) {
      return Optional.empty();
    } else if (!suffix.startsWith(BRANCH)) {
      return Optional.of(new NamedTable(table, known(table, suffix.toLowerCase(Locale.ROOT))));
    } else if (!table.directory().isMain()) {
      return Optional.empty();
    }
    try {
      String branch = suffix.substring(BRANCH.length());
      boolean isTable = branch.equals(TableDirectory.MAIN);
      return Optional.of(new NamedTable(isTable ? table : table.onBranch(branch), null));
    } catch (IOException e) {
      throw new UncheckedIOException("the branches of " + table.name() + " could not be read", e);
    }
  }

  private static String known(Table table, String suffix) {
    if (OF_ROWS.contains(suffix) || SystemTables.find(suffix).isPresent()) {
      return suffix;
    }
    List<String> names = new ArrayList<>(SystemTables.names());
    names.addAll(OF_ROWS);
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

  /** The table for its end; IllegalArgumentException if it is a system table or a branch. */
  Table replaceable(String change) {
    Table found = changeable(change);
    if (!found.directory().isMain()) {
      throw new IllegalArgumentException(
          "%s is a branch: no %s; CALL sys.delete_branch or sys.fast_forward ends it"
              .formatted(found.name(), change));
    }
    return found;
  }

  /** As Spark sees it, at the newest snapshot. */
  org.apache.spark.sql.connector.catalog.Table latest() {
    if (system == null) {
      return ObelusTable.latest(table, true);
    } else if (system.equals(READ_OPTIMIZED)) {
      return ObelusTable.readOptimized(table, null);
    } else if (system.equals(CHANGES)) {
      return new ObelusChangesTable(table);
    }
    return new ObelusSystemTable(table, kind(), null);
  }

  /** As Spark sees it, at a snapshot; IllegalArgumentException if it is not about one. */
  org.apache.spark.sql.connector.catalog.Table at(Snapshot snapshot) {
    if (system == null) {
      return ObelusTable.at(table, snapshot);
    } else if (system.equals(READ_OPTIMIZED)) {
      return ObelusTable.readOptimized(table, snapshot);
    } else if (system.equals(CHANGES)) {
      throw ObelusChangesTable.needsRange(table);
    } else if (!kind().showsSnapshot()) {
      throw ObelusSystemTable.notOfOneSnapshot(name(), table);
    }
    return new ObelusSystemTable(table.atSchema(snapshot.schemaId()), kind(), snapshot);
  }

  private SystemTable kind() {
    return SystemTables.find(system).orElseThrow();
  }
}
