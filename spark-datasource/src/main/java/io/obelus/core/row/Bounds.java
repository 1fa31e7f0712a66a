package io.obelus.core.row;

/**
 * What is known, without reading them, about the values that some rows have: of a file, of a row
 * group, of a page. Values are Spark's internal ones, of the type of the column asked for.
 *
 * <p>Every value of a column that is neither null nor NaN lies between {@link #min} and {@link
 * #max}, both included. The two need not be values of a row: a cut text will do if it is below
 * (min) or above (max) all of them.
 */
public interface Bounds {

  /** A count that nobody knows. */
  long UNKNOWN = -1;

  /** No value is below; null if that is not known, or if there is no value. */
  Object min(Column column);

  /** No value but NaN is above; null if that is not known, or if there is no value. */
  Object max(Column column);

  /** Rows in which the column is null, or {@link #UNKNOWN}. */
  long nullCount(Column column);

  /** Rows, or {@link #UNKNOWN}. */
  long rowCount();
}
