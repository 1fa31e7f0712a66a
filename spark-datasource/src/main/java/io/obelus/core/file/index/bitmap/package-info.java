/**
 * The index {@code bitmap}: for each value of a column the rows that have it. Exact for equality
 * and for null.
 *
 * <p>Called by {@code core.file.index}, and by the planner that groups rows by a value. Knows
 * neither data files nor deletions. Start at {@link io.obelus.core.file.index.bitmap.BitmapIndex}.
 */
package io.obelus.core.file.index.bitmap;
