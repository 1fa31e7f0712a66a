/**
 * The index {@code range-bitmap}: a sorted dictionary of the values of a column, and its rows by
 * the bits of their value's place in it. Exact for comparisons and for null.
 *
 * <p>Called by {@code core.file.index}. Knows neither data files nor deletions. Start at {@link
 * io.obelus.core.file.index.rangebitmap.RangeBitmapIndex}.
 */
package io.obelus.core.file.index.rangebitmap;
