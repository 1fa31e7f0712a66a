package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import java.io.Serializable;

/**
 * The columns of a data file (spec chapter 07):
 *
 * <pre>
 *   _KEY_k ...          one for each trimmed key column, field id 1073741823 + id   (not in thin mode, not in append files)
 *   _SEQUENCE_NUMBER    BIGINT NOT NULL, id 2147483646                              (not in append files)
 *   _VALUE_KIND         TINYINT NOT NULL, id 2147483645                             (not in append files)
 *   all columns of the table
 * </pre>
 *
 * @param row the table's columns as of the schema the file is written with
 * @param key indexes of the trimmed primary key in {@code row}; empty in an append file
 */
public record DataFileColumns(RowType row, int[] key) implements Serializable {

  public static final int KEY_ID_BASE = 1073741823;
  public static final Column SEQUENCE =
      new Column(
          2147483646,
          "_SEQUENCE_NUMBER",
          new ColumnType.Scalar(ColumnType.Kind.BIGINT, 0, 0, false));
  public static final Column KIND =
      new Column(
          2147483645, "_VALUE_KIND", new ColumnType.Scalar(ColumnType.Kind.TINYINT, 0, 0, false));
  public static final String KEY_PREFIX = "_KEY_";

  /** The column {@code _KEY_k} that repeats a key column. */
  public static Column repeated(Column key) {
    return new Column(
        KEY_ID_BASE + key.id(), KEY_PREFIX + key.name(), key.type().withNullable(false));
  }
}
