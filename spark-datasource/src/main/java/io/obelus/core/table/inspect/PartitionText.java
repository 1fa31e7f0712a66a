package io.obelus.core.table.inspect;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.StringJoiner;
import org.apache.spark.sql.catalyst.InternalRow;

/** Partitions as {@code {2024-02-29, x}}, {@code {}} in an unpartitioned table. */
final class PartitionText {

  private final RowType type;
  private final BinaryRows rows;
  private final ZoneId zone;

  PartitionText(RowType type, ZoneId zone) {
    this.type =
        new RowType(
            type.columns().stream()
                .map(column -> column.typed(column.type().withNullable(true))) // bounds may be null
                .toList());
    this.rows = new BinaryRows(this.type);
    this.zone = zone;
  }

  /** The partition as text; null if {@code partition} has no values where there should be some. */
  String of(RowBytes partition) {
    if (partition.equals(RowBytes.EMPTY)) {
      return type.size() == 0 ? "{}" : null;
    }
    InternalRow row = rows.read(partition.bytes());
    StringJoiner text = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < type.size(); i++) {
      text.add(ValueText.cast((Scalar) type.column(i).type(), row, i, zone));
    }
    return text.toString();
  }

  /** By their values, null first. */
  Comparator<RowBytes> order() {
    Comparator<InternalRow> byValue = RowComparator.of(type);
    return type.size() == 0
        ? (a, b) -> 0
        : (a, b) -> byValue.compare(rows.read(a.bytes()), rows.read(b.bytes()));
  }
}
