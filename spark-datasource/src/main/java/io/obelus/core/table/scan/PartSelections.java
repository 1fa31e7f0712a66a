package io.obelus.core.table.scan;

import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which rows of the files of a {@link Difference} are compared: the live ones. Where a file is on
 * both sides and nothing is merged, only those that are live on one side; a row that is live in the
 * same place on both is the same.
 *
 * @param before files without such a row are left out
 */
record PartSelections(List<Selected> before, List<Selected> after) {

  /** Some rows of a file. */
  record Selected(Split.Part part, RowSelection rows) {}

  PartSelections(Table table, Difference difference) throws IOException {
    this(
        select(table, difference.before(), difference.after(), difference.merge()),
        select(table, difference.after(), difference.before(), difference.merge()));
  }

  private static List<Selected> select(
      Table table, List<Split.Part> parts, List<Split.Part> others, boolean merge)
      throws IOException {
    Map<String, Split.Part> other = new HashMap<>();
    if (!merge) {
      others.forEach(part -> other.put(part.file().name(), part));
    }
    List<Selected> selected = new ArrayList<>();
    for (Split.Part part : parts) {
      RowSelection rows = RowSelection.all(part.file().rowCount()).without(deleted(table, part));
      Split.Part same = other.get(part.file().name());
      if (same != null) {
        rows = rows.and(deleted(table, same));
      }
      if (!rows.isEmpty()) {
        selected.add(new Selected(part, rows));
      }
    }
    return selected;
  }

  private static Positions deleted(Table table, Split.Part part) throws IOException {
    Positions deleted =
        part.deletions() == null
            ? null
            : table
                .deletionFiles()
                .read(part.deletions(), part.file().name(), part.file().rowCount());
    return deleted == null ? new Positions() : deleted;
  }
}
