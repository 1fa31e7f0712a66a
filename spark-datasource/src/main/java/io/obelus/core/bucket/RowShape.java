package io.obelus.core.bucket;

import io.obelus.core.row.RowType;
import java.io.Serializable;

/**
 * What the rows of a keyed table look like to the code that merges them.
 *
 * @param row all columns of the table
 * @param key indexes of the trimmed primary key in {@code row}
 * @param sequence indexes of the {@code sequence.field} columns in {@code row}; empty if the later
 *     write wins
 * @param sequenceDescending whether the smaller sequence value is the newer one
 */
public record RowShape(RowType row, int[] key, int[] sequence, boolean sequenceDescending)
    implements Serializable {}
