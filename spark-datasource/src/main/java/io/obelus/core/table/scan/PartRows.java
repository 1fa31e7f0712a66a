package io.obelus.core.table.scan;

import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a part of a split that are there: the one place where a deletion bitmap is applied.
 * Keeps count. Not thread-safe.
 */
final class PartRows {

  private final Table table;
  private long struckOut;
  private long leftOut;
  private final Map<String, Long> leftOutByKind = new HashMap<>();

  PartRows(Table table) {
    this.table = table;
  }

  /** The rows that an index leaves and no bitmap strikes out. */
  RowSelection of(Split.Part part, IndexLookup.Found found) throws IOException {
    RowSelection candidates = RowSelection.all(part.file().rowCount()).and(found.candidates());
    leftOut += part.to() - part.from() - candidates.cardinality(part.from(), part.to());
    count(part, found.steps());
    return candidates.isEmpty() ? candidates : live(part, candidates);
  }

  private void count(Split.Part part, List<IndexLookup.Step> steps) {
    RowSelection all = RowSelection.all(part.file().rowCount());
    long before = part.to() - part.from();
    for (IndexLookup.Step step : steps) {
      long left = all.and(step.left()).cardinality(part.from(), part.to());
      if (step.kind() != null) {
        leftOutByKind.merge(step.kind(), before - left, Long::sum);
      }
      before = left;
    }
  }

  /** The rows that no bitmap strikes out. */
  RowSelection live(Split.Part part) throws IOException {
    return live(part, RowSelection.all(part.file().rowCount()));
  }

  private RowSelection live(Split.Part part, RowSelection candidates) throws IOException {
    if (part.deletions() == null) {
      return candidates;
    }
    Positions deleted =
        table.deletionFiles().read(part.deletions(), part.file().name(), part.file().rowCount());
    if (deleted == null) {
      return candidates;
    }
    RowSelection live = candidates.without(deleted);
    struckOut +=
        candidates.cardinality(part.from(), part.to()) - live.cardinality(part.from(), part.to());
    return live;
  }

  /** Rows struck out by bitmaps so far. */
  long struckOut() {
    return struckOut;
  }

  /** Rows that file indexes left out so far, whether struck out or not. */
  long leftOutByIndexes() {
    return leftOut;
  }

  /** Of these, the rows that indexes of one kind took out of what those before had left. */
  long leftOutBy(String kind) {
    return leftOutByKind.getOrDefault(kind, 0L);
  }
}
