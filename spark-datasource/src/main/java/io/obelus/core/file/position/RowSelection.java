package io.obelus.core.file.position;

/**
 * The row positions of one data file that a scan returns: {@code all(rowCount)}, narrowed by what
 * an index answers and by what is deleted. Immutable.
 */
public final class RowSelection {

  /** Every row of a file of {@code rowCount} rows. */
  public static RowSelection all(long rowCount) {
    throw new UnsupportedOperationException("to be written");
  }

  /** The rows that are also among {@code candidates}. */
  public RowSelection and(Positions candidates) {
    throw new UnsupportedOperationException("to be written");
  }

  /** The rows that are not among {@code deleted}. */
  public RowSelection without(Positions deleted) {
    throw new UnsupportedOperationException("to be written");
  }

  /** Rows of the file, selected or not. */
  public long rowCount() {
    throw new UnsupportedOperationException("to be written");
  }

  /** Number of selected rows. */
  public long cardinality() {
    throw new UnsupportedOperationException("to be written");
  }

  public boolean isAll() {
    return cardinality() == rowCount();
  }

  public boolean isEmpty() {
    return cardinality() == 0;
  }

  /** Number of selected rows in {@code [from, to)}. */
  public long cardinality(long from, long to) {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Fills {@code offsets} with {@code position - from} of the selected rows in {@code [from, to)},
   * ascending.
   *
   * @param offsets at least {@code to - from} long
   * @return how many were filled in
   */
  public int offsets(long from, long to, int[] offsets) {
    throw new UnsupportedOperationException("to be written");
  }
}
