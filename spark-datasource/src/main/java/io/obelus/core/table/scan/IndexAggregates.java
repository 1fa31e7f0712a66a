package io.obelus.core.table.scan;

import io.obelus.core.file.index.FileIndex;
import io.obelus.core.file.index.bitmap.BitmapReader;
import io.obelus.core.file.index.bsi.BsiIndexReader;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.Aggregates.Function;
import java.io.IOException;
import java.util.Queue;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Aggregates told by the indexes of one data file: numbers of rows of each value by its bitmap
 * index; without groups also the smallest and the largest value by a bit-sliced one, or by the
 * statistics of a file of which all rows count.
 */
final class IndexAggregates {

  /** With more values the rows are read: their bitmaps are as long as the column. */
  private static final int MOST_GROUPS = 10_000;

  /** Digits of a second's fraction that Spark keeps. */
  private static final int MICROSECONDS = 6;

  private final Aggregates aggregates;
  private final FileIndex index;
  private final RowType fileColumns;
  private final FileBounds bounds; // null if not all rows count

  private IndexAggregates(
      Aggregates aggregates, FileIndex index, RowType fileColumns, FileBounds bounds) {
    this.aggregates = aggregates;
    this.index = index;
    this.fileColumns = fileColumns;
    this.bounds = bounds;
  }

  /**
   * The aggregates of a file's rows.
   *
   * @param fileColumns of the schema that the file was written with
   * @param bounds of the file, if all of its rows are summed up; else null
   * @return null if the indexes do not tell them
   */
  static IndexAggregates of(
      Aggregates aggregates, FileIndex index, RowType fileColumns, FileBounds bounds)
      throws IOException {
    IndexAggregates answers = new IndexAggregates(aggregates, index, fileColumns, bounds);
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
    if (isBounded(part.column())) {
      return true;
    }
    BsiIndexReader numbers = reader("bsi", part.column(), BsiIndexReader.class);
    return numbers != null && numbers.keepsValues();
  }

  /** Whether statistics tell the smallest and the largest value, so that no index need be read. */
  private boolean isBounded(Column column) {
    return bounds != null
        && hasExactBounds(column)
        && (bounds.min(column) != null && bounds.max(column) != null
            || bounds.nullCount(column) == bounds.rowCount());
  }

  /** Not of texts, which are cut, of floating point numbers, which have NaN, nor of nanoseconds. */
  private static boolean hasExactBounds(Column column) {
    return column.type() instanceof ColumnType.Scalar type
        && switch (type.kind()) {
          case TINYINT, SMALLINT, INT, BIGINT, DATE, DECIMAL -> true;
          case TIMESTAMP, TIMESTAMP_LTZ -> type.precision() <= MICROSECONDS;
          default -> false;
        };
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
  void addTo(Queue<GenericInternalRow> ready, RowSelection rows) throws IOException {
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

  private GenericInternalRow group(Object value, long count) {
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
    boolean smallest = part.function() == Function.MIN;
    if (isBounded(part.column())) {
      return smallest ? bounds.min(part.column()) : bounds.max(part.column());
    }
    BsiIndexReader numbers = reader("bsi", part.column(), BsiIndexReader.class);
    return smallest ? numbers.min(rows.positions()) : numbers.max(rows.positions());
  }
}
