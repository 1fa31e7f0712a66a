/**
 * What the two indexes with a sorted dictionary share: how values of a column become keys, which
 * keys a condition asks for, a column collected as one code a row.
 *
 * <p>Used by {@code bitmap} and {@code rangebitmap} only. Knows neither what is kept for a key nor
 * where. Start at {@link io.obelus.core.file.index.key.KeyCoding}.
 */
package io.obelus.core.file.index.key;
