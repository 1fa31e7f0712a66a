package io.obelus.core.table.verify;

import io.obelus.core.file.index.bitmap.BitmapReader;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The values of one column of a data file, with the rows of each, to be compared with what an index
 * answers. Not thread-safe.
 *
 * <p>The first {@value #VALUES} different values are kept, which bounds memory. A Bloom filter is
 * asked for each value all the same; other indexes are compared by the values that are kept.
 */
final class IndexedValues {

  private static final int VALUES = 10_000;

  /** Of so many values a slow index is asked; each answer may go over all of its slices. */
  private static final int QUESTIONS = 256;

  private static final int RANGES = 16;
  private static final String BLOOM = "bloom-filter";
  private static final String BITMAP = "bitmap";

  private final Column column;
  private final int ordinal;
  private final DataType type;
  private final Map<Object, Positions> rows = new HashMap<>();
  private final Positions nulls = new Positions();
  private boolean complete = true;
  private IndexReader bloom;
  private Difference missed;

  /**
   * An answer that is not right.
   *
   * @param position of the first row concerned; -1 if none is
   * @param words what follows "the index of column x"
   */
  record Difference(long position, String words) {}

  IndexedValues(Column column, int ordinal) {
    this.column = column;
    this.ordinal = ordinal;
    this.type = SparkTypes.toSpark(column.type());
  }

  /** Names an index of the column; if it is a Bloom filter, it is asked while values come. */
  void askAtOnce(String kind, IndexReader reader) {
    if (kind.equals(BLOOM)) {
      bloom = reader;
    }
  }

  void add(ColumnarBatch batch, long first) throws IOException {
    for (int i = 0; i < batch.numRows(); i++) {
      InternalRow row = batch.getRow(i);
      if (row.isNullAt(ordinal)) {
        nulls.add(first + i);
      } else {
        add(value(row), first + i);
      }
    }
  }

  private void add(Object value, long position) throws IOException {
    Positions known = rows.get(value);
    if (known == null && rows.size() < VALUES) {
      known = new Positions();
      rows.put(value, known);
    }
    if (known != null) {
      known.add(position);
      return;
    }
    complete = false;
    if (bloom != null && missed == null) {
      Positions one = new Positions();
      one.add(position);
      missed = equal(bloom, value, one);
    }
  }

  /** A value as a key of a map: zero in one form, text and bytes in memory of their own. */
  private Object value(InternalRow row) {
    Object value = row.get(ordinal, type);
    if (value instanceof UTF8String text) {
      return text.copy();
    } else if (value instanceof byte[] bytes) {
      return new RowBytes(bytes.clone());
    } else if (value instanceof Double number && number == 0) {
      return 0.0d;
    } else if (value instanceof Float number && number == 0) {
      return 0.0f;
    }
    return value;
  }

  private static Object literal(Object value) {
    return value instanceof RowBytes bytes ? bytes.bytes() : value;
  }

  /** Where an index first differs from the column. */
  Optional<Difference> difference(String kind, IndexReader reader, long rowCount)
      throws IOException {
    if (kind.equals(BLOOM) && missed != null) {
      return Optional.of(missed);
    }
    Difference found =
        compare("that are null", reader.evaluate(new Predicate.IsNull(column), false), nulls);
    int step = kind.equals(BLOOM) || kind.equals(BITMAP) ? 1 : 1 + rows.size() / QUESTIONS;
    int number = 0;
    for (Map.Entry<Object, Positions> entry : rows.entrySet()) {
      if (found == null && number++ % step == 0) {
        found = equal(reader, entry.getKey(), entry.getValue());
      }
    }
    if (found == null && complete && !kind.equals(BLOOM)) {
      found = ranges(reader);
    }
    if (found == null && reader instanceof BitmapReader<?> bitmaps && bitmaps.countsValues()) {
      bitmaps.countValues(RowSelection.all(rowCount), (value, count) -> {}); // they add up
    }
    return Optional.ofNullable(found);
  }

  private Difference equal(IndexReader reader, Object value, Positions expected)
      throws IOException {
    Predicate leaf = new Predicate.Compare(column, Comparison.EQUAL, literal(value));
    return compare("with value " + text(value), reader.evaluate(leaf, false), expected);
  }

  /** Some questions of which every row is part of the answer. */
  private Difference ranges(IndexReader reader) throws IOException {
    List<Object> sorted = sorted();
    Positions expected = new Positions();
    for (int i = 0; i < sorted.size(); i++) {
      expected.addAll(rows.get(sorted.get(i)));
      if (i % (1 + sorted.size() / RANGES) == 0) {
        Predicate leaf =
            new Predicate.Compare(column, Comparison.LESS_OR_EQUAL, literal(sorted.get(i)));
        Difference found =
            compare("up to value " + text(sorted.get(i)), reader.evaluate(leaf, false), expected);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private List<Object> sorted() {
    Comparator<InternalRow> order = RowComparator.of(new RowType(List.of(column)));
    List<Object> sorted = new ArrayList<>(rows.keySet());
    sorted.sort(Comparator.comparing(IndexedValues::row, order));
    return sorted;
  }

  private static InternalRow row(Object value) {
    return new GenericInternalRow(new Object[] {literal(value)});
  }

  private String text(Object value) {
    return Values.text(row(value), column.type(), 0);
  }

  /** Null if the answer is right as far as the index is certain. */
  private static Difference compare(String which, Candidates found, Positions expected) {
    if (found.isAny()) {
      return null;
    }
    long missing = first(expected, found.positions());
    if (missing >= 0) {
      return new Difference(missing, "does not know this row among those " + which);
    }
    long added = found.isExact() ? first(found.positions(), expected) : -1;
    return added < 0
        ? null
        : new Difference(added, "has this row among those %s, which it is not".formatted(which));
  }

  /** The first position of {@code these} that is not among {@code those}; -1 if there is none. */
  private static long first(Positions these, Positions those) {
    AtomicLong first = new AtomicLong(-1);
    these.forEach(
        position -> {
          if (first.get() < 0 && !those.contains(position)) {
            first.set(position);
          }
        });
    return first.get();
  }
}
