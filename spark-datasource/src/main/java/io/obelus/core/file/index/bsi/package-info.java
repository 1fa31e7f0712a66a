/**
 * Bit-sliced index, {@code bsi}: the numbers of a column cut into bits, one bitmap of rows per bit.
 * Exact for comparisons and for null, good for ranges on numbers in no order.
 *
 * <p>Called by {@code core.file.index} as one {@link io.obelus.core.file.index.kind.IndexKind}.
 * Knows neither containers nor data files. Start at {@link io.obelus.core.file.index.bsi.BsiIndex}.
 */
package io.obelus.core.file.index.bsi;
