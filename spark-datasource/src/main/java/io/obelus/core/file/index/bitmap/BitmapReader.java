package io.obelus.core.file.index.bitmap;

import io.obelus.core.file.index.key.KeyCoding;
import io.obelus.core.file.index.key.KeyReader;
import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import org.roaringbitmap.RoaringBitmap;

/**
 * Answers conditions on the column of a bitmap index, and counts the rows of each value. Not
 * thread-safe.
 */
public abstract class BitmapReader<K extends Comparable<K>> extends KeyReader<K> {

  /** So many bitmaps are joined to answer a range; with more, other ways are faster. */
  private static final int MOST_VALUES_FOR_RANGES = 1000;

  /** Takes the values one after another. */
  @FunctionalInterface
  interface EntryAction<K> {
    void accept(K key, Entry entry) throws IOException;
  }

  /** Takes numbers of rows. */
  @FunctionalInterface
  public interface ValueCount {
    /**
     * So many rows have a value.
     *
     * @param value as Spark keeps it; null for the null rows
     * @param rows at least 1
     */
    void accept(Object value, long rows);
  }

  private final BitmapHead head;
  private final BodyReader body;
  private final Place place;
  private Positions nulls;

  BitmapReader(KeyCoding<K> coding, BitmapHead head, BodyReader body, Place place) {
    super(coding, head.rowCount());
    this.head = head;
    this.body = body;
    this.place = place;
  }

  /** Hands all values that are not null to {@code action}, ascending. */
  abstract void forEach(EntryAction<K> action) throws IOException;

  final BodyReader body() {
    return body;
  }

  /** Number of different values that are not null; {@code -0.0} and {@code 0.0} are two. */
  public final int valueCount() {
    return head.values();
  }

  /** Whether {@link #countValues} tells all values apart: not where nanoseconds are lost. */
  public final boolean countsValues() {
    return coding().isExact();
  }

  /**
   * Counts the rows of each value, as GROUP BY does: values without rows are left out, {@code -0.0}
   * counts as {@code 0.0}. Reads the whole index into memory.
   *
   * @param within the rows to count
   * @param action gets each value once, ascending, null last
   * @throws IllegalStateException unless {@link #countsValues}
   * @throws CorruptFileException also if the values do not share out all rows
   */
  public final void countValues(RowSelection within, ValueCount action) throws IOException {
    if (!countsValues()) {
      throw new IllegalStateException(place + ": the index does not keep nanoseconds");
    }
    Counter counter = new Counter(within, action);
    BodyReader fetched = body.fetched();
    forEach((key, entry) -> counter.add(coding().value(key), fetched.rows(entry)));
    counter.add(null, nulls().bitmap());
    counter.flush();
    if (counter.total != within.cardinality()) {
      throw new CorruptFileException(
          place, "rows of all values together", within.cardinality(), counter.total);
    }
  }

  /** Joins neighbours that are one value. */
  private static final class Counter {
    private final RowSelection within;
    private final ValueCount action;
    private Object value;
    private long rows;
    private long total;

    Counter(RowSelection within, ValueCount action) {
      this.within = within;
      this.action = action;
    }

    void add(Object next, RoaringBitmap bitmap) {
      if (next == null || !next.equals(value)) {
        flush();
      }
      value = next;
      rows +=
          within.isAll()
              ? bitmap.getLongCardinality()
              : within.and(new Positions(bitmap)).cardinality();
    }

    void flush() {
      if (rows > 0) {
        action.accept(value, rows);
      }
      total += rows;
      rows = 0;
    }
  }

  /** Ranges join the bitmaps of all values in them. */
  @Override
  protected final boolean answersRanges() {
    return valueCount() <= MOST_VALUES_FOR_RANGES;
  }

  @Override
  protected final Positions nulls() throws IOException {
    if (nulls == null) {
      nulls = head.nulls() == null ? new Positions() : new Positions(body.rows(head.nulls()));
    }
    return nulls;
  }
}
