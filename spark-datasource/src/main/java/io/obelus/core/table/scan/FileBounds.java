package io.obelus.core.table.scan;

import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Bounds;
import io.obelus.core.row.Column;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * What is known of the values of one data file: its partition's values, and the statistics that its
 * writer kept. They cover struck-out rows too, which is safe for leaving files out.
 */
final class FileBounds implements Bounds {

  private final DataFile file;
  private final RowType partitionType;
  private final InternalRow partition;
  private final RowType fileColumns;

  /** Columns that the statistics are about, by the names of the file's schema. */
  private final RowType statsColumns;

  private final InternalRow min;
  private final InternalRow max;

  /**
   * @param partition values of the file's partition
   * @param fileColumns columns of the table in the schema that the file was written with
   */
  FileBounds(DataFile file, RowType partitionType, InternalRow partition, RowType fileColumns) {
    this.file = file;
    this.partitionType = partitionType;
    this.partition = partition;
    this.fileColumns = fileColumns;
    statsColumns = statsColumns(file, fileColumns);
    min = decode(file.valueStats().min());
    max = decode(file.valueStats().max());
  }

  @Override
  public Object min(Column column) {
    int ofPartition = partitionType.indexOfId(column.id());
    return ofPartition >= 0 ? value(partition, partitionType, ofPartition) : bound(min, column);
  }

  @Override
  public Object max(Column column) {
    int ofPartition = partitionType.indexOfId(column.id());
    return ofPartition >= 0 ? value(partition, partitionType, ofPartition) : bound(max, column);
  }

  @Override
  public long nullCount(Column column) {
    int ofPartition = partitionType.indexOfId(column.id());
    if (ofPartition >= 0) {
      return partition.isNullAt(ofPartition) ? file.rowCount() : 0;
    }
    int inFile = fileColumns.indexOfId(column.id());
    if (inFile < 0) {
      return file.rowCount(); // the file was written before the column was added
    }
    Long[] counts = file.valueStats().nullCounts();
    int index = statsColumns.indexOfId(column.id());
    boolean known = index >= 0 && index < counts.length && counts[index] != null;
    return known ? counts[index] : UNKNOWN;
  }

  @Override
  public long rowCount() {
    return file.rowCount();
  }

  /**
   * Null if unknown, or if the file has the column in another type: its statistics are of that
   * type.
   */
  private Object bound(InternalRow bounds, Column column) {
    int index = statsColumns.indexOfId(column.id());
    if (index < 0 || bounds.numFields() == 0) {
      return null;
    }
    boolean sameType =
        statsColumns
            .column(index)
            .type()
            .withNullable(true)
            .equals(column.type().withNullable(true));
    return sameType ? value(bounds, statsColumns, index) : null;
  }

  private InternalRow decode(RowBytes bytes) {
    boolean empty = bytes.equals(RowBytes.EMPTY);
    return new BinaryRows(empty ? RowType.EMPTY : statsColumns).read(bytes.bytes());
  }

  private static RowType statsColumns(DataFile file, RowType fileColumns) {
    ColumnStats stats = file.valueStats();
    if (stats.min().equals(RowBytes.EMPTY)) {
      return RowType.EMPTY;
    }
    List<String> names = file.valueStatsColumns();
    return names == null ? fileColumns : fileColumns.project(names);
  }

  private static Object value(InternalRow row, RowType type, int index) {
    return row.isNullAt(index)
        ? null
        : row.get(index, SparkTypes.toSpark(type.column(index).type()));
  }
}
