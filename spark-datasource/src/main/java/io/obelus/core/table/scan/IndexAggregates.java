package io.obelus.core.table.scan;

import io.obelus.core.file.index.FileIndex;
import io.obelus.core.file.index.bitmap.BitmapReader;
import io.obelus.core.file.index.bsi.BsiIndexReader;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.Aggregates.Function;
import java.io.IOException;
import java.util.Queue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Aggregates told by the indexes of one data file: numbers of rows of each value by its bitmap
 * index; without groups also the smallest and the largest value by a bit-sliced one.
 */
final class IndexAggregates {

  /** With more values the rows are read: their bitmaps are as long as the column. */
  private static final int MOST_GROUPS = 10_000;

  private final Aggregates aggregates;
  private final FileIndex index;
  private final RowType fileColumns;

  private IndexAggregates(Aggregates aggregates, FileIndex index, RowType fileColumns) {
    this.aggregates = aggregates;
    this.index = index;
    this.fileColumns = fileColumns;
  }

  /**
   * The aggregates of a file's rows.
   *
   * @param fileColumns of the schema that the file was written with
   * @return null if the indexes do not tell them
   */
  static IndexAggregates of(Aggregates aggregates, FileIndex index, RowType fileColumns)
      throws IOException {
    IndexAggregates answers = new IndexAggregates(aggregates, index, fileColumns);
    return answers.areKnown() ? answers : null;
  }

  private boolean areKnown() throws IOException {
    if (aggregates.group() != null && valuesOfGroup() == null) {
      return false;
    }
    for (Aggregates.Part part : aggregates.parts()) {
      if (!isKnown(part)) {
        return false;
      }
    }
    return true;
  }

  private boolean isKnown(Aggregates.Part part) throws IOException {
    if (part.function() == Function.COUNT_ROWS) {
      return true;
    } else if (aggregates.group() != null) {
      return part.function() == Function.COUNT && part.column().equals(aggregates.group());
    } else if (part.function() == Function.COUNT) {
      return nulls(part.column()).isExact();
    }
    BsiIndexReader numbers = reader("bsi", part.column(), BsiIndexReader.class);
    return numbers != null && numbers.keepsValues();
  }

  /** Null if they are not known, or are too many. */
  private BitmapReader<?> valuesOfGroup() throws IOException {
    BitmapReader<?> values = reader("bitmap", aggregates.group(), BitmapReader.class);
    return values != null && values.countsValues() && values.valueCount() <= MOST_GROUPS
        ? values
        : null;
  }

  /** Null if there is no such index, or if the file has the column in another type. */
  private <T> T reader(String kind, Column column, Class<T> type) throws IOException {
    Predicate any = new Predicate.IsNull(column);
    int stored = fileColumns.indexOfId(column.id());
    if (stored < 0 || !Predicates.isSameInFile(fileColumns, any)) {
      return null;
    }
    return index.reader(kind, fileColumns.column(stored)).map(type::cast).orElse(null);
  }

  private Candidates nulls(Column column) throws IOException {
    return index.evaluate(Predicates.inFile(fileColumns, new Predicate.IsNull(column)));
  }

  /** Adds one row for each group that has rows. */
  void addTo(Queue<InternalRow> ready, RowSelection rows) throws IOException {
    if (aggregates.group() != null) {
      valuesOfGroup().countValues(rows, (value, count) -> ready.add(group(value, count)));
      return;
    }
    Object[] values = new Object[aggregates.parts().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(aggregates.parts().get(i), rows);
    }
    ready.add(new GenericInternalRow(values));
  }

  private InternalRow group(Object value, long count) {
    Object[] values = new Object[aggregates.parts().size() + 1];
    values[0] = value;
    for (int i = 1; i < values.length; i++) {
      boolean countsNulls = aggregates.parts().get(i - 1).function() == Function.COUNT_ROWS;
      values[i] = value == null && !countsNulls ? 0L : count;
    }
    return new GenericInternalRow(values);
  }

  private Object value(Aggregates.Part part, RowSelection rows) throws IOException {
    if (part.function() == Function.COUNT_ROWS) {
      return rows.cardinality();
    } else if (part.function() == Function.COUNT) {
      return rows.without(nulls(part.column()).positions()).cardinality();
    }
    BsiIndexReader numbers = reader("bsi", part.column(), BsiIndexReader.class);
    return part.function() == Function.MIN
        ? numbers.min(rows.positions())
        : numbers.max(rows.positions());
  }
}
