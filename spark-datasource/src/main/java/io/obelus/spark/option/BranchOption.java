package io.obelus.spark.option;

import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.snapshot.Table;
import java.util.Map;
import java.util.TreeMap;

/**
 * Option {@code branch} of {@code format("obelus")}: which branch of the table is read or written.
 * It decides what is loaded, so that it cannot be given to a table that is there already.
 */
public final class BranchOption {

  /** Its name. */
  public static final String NAME = "branch";

  private BranchOption() {}

  /**
   * What to put behind the name of the table; empty if the options do not speak of a branch.
   *
   * @param options of a reader or writer; names in any case
   */
  public static String suffix(Map<String, String> options) {
    String branch = value(options);
    return branch == null || branch.equals(TableDirectory.MAIN) ? "" : Table.BRANCH_SUFFIX + branch;
  }

  /** Refuses an option that names another branch than {@code table} is. */
  public static void check(Table table, Map<String, String> options) {
    String branch = value(options);
    if (branch != null && !branch.equals(table.directory().branch())) {
      throw new IllegalArgumentException(
          ("option '%s' = '%s' comes too late for %s: name the branch with the table, `…%s%s`, or"
                  + " use format(\"obelus\") with load or save")
              .formatted(NAME, branch, table.name(), Table.BRANCH_SUFFIX, branch));
    }
  }

  private static String value(Map<String, String> options) {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(options);
    String branch = anyCase.get(NAME);
    return branch == null ? null : branch.strip();
  }
}
