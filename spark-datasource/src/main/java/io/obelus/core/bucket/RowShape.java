package io.obelus.core.bucket;

import io.obelus.core.row.RowType;
import java.io.Serializable;
import java.util.Arrays;

/**
 * What the rows of a keyed table look like to the code that merges them.
 *
 * @param row the columns; all of the table, or fewer where a scan reads fewer
 * @param key indexes of the trimmed primary key in {@code row}
 * @param sequence indexes of the {@code sequence.field} columns in {@code row}; empty if the later
 *     write wins
 * @param sequenceDescending whether the smaller sequence value is the newer one
 */
public record RowShape(RowType row, int[] key, int[] sequence, boolean sequenceDescending)
    implements Serializable {

  /** Row type of the trimmed primary key. */
  public RowType keyType() {
    return new RowType(Arrays.stream(key).mapToObj(row::column).toList());
  }

  /** The same key and sequence in rows of other columns, which must hold them. */
  public RowShape in(RowType columns) {
    return new RowShape(
        columns, indexesIn(columns, key), indexesIn(columns, sequence), sequenceDescending);
  }

  private int[] indexesIn(RowType columns, int[] indexes) {
    return Arrays.stream(indexes)
        .map(i -> columns.indexOfId(row.column(i).id()))
        .peek(
            i -> {
              if (i < 0) {
                throw new IllegalArgumentException(
                    "columns "
                        + columns.names()
                        + " lack a key or sequence column of "
                        + row.names());
              }
            })
        .toArray();
  }
}
