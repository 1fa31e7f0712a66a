package io.obelus.spark.write;

import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Refuses null where a column does not allow it. Spark checks most writes itself, but not those of
 * a stream to a path. A row that takes back another needs no more than its key.
 */
final class RequiredColumns {

  private final RowType type;
  private final int[] key;
  private final int[] others;

  RequiredColumns(TableSchema schema) {
    type = schema.rowType();
    List<Integer> keys = new ArrayList<>();
    List<Integer> rest = new ArrayList<>();
    for (int i = 0; i < type.size(); i++) {
      if (schema.primaryKeys().contains(type.column(i).name())) {
        keys.add(i);
      } else if (!type.column(i).type().nullable()) {
        rest.add(i);
      }
    }
    key = keys.stream().mapToInt(Integer::intValue).toArray();
    others = rest.stream().mapToInt(Integer::intValue).toArray();
  }

  void check(InternalRow row, byte kind) {
    check(row, key, "is part of the primary key");
    if (!RowKind.isRetract(kind)) {
      check(row, others, "is NOT NULL");
    }
  }

  private void check(InternalRow row, int[] columns, String why) {
    for (int column : columns) {
      if (row.isNullAt(column)) {
        throw new IllegalArgumentException(
            "column '"
                + type.column(column).name()
                + "' "
                + why
                + ", but a row to be written has null in it");
      }
    }
  }
}
