package io.obelus.spark.rowlevel;

import io.obelus.core.table.scan.MetadataColumns;
import io.obelus.core.table.snapshot.Table;
import java.util.List;
import java.util.Optional;

/** How a row of a table without a key is known: by its file and its position in it. */
final class RowPlace {

  /** The columns that say it. */
  static final List<String> COLUMNS =
      List.of(MetadataColumns.FILE.name(), MetadataColumns.POSITION.name());

  private RowPlace() {}

  /** Why rows of the table cannot be changed; empty if they can. */
  static Optional<String> refusal(Table table) {
    if (table.options().deletionCoding().isEmpty()) {
      return Optional.of(
          "it has no primary key and no deletion bitmaps. Let it have them with ALTER TABLE … SET"
              + " TBLPROPERTIES ('deletion-vectors.enabled' = 'true')");
    }
    if (table.options().rowKindField().isPresent()) {
      return Optional.of("its option 'rowkind.field' lets a column decide what a row does");
    }
    for (String own : table.schema().rowType().names()) {
      if (COLUMNS.stream().anyMatch(own::equalsIgnoreCase)) {
        return Optional.of(
            "its column '"
                + own
                + "' hides the metadata column of that name, by which rows are found; rename it");
      }
    }
    return Optional.empty();
  }
}
