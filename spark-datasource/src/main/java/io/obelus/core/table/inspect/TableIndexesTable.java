package io.obelus.core.table.inspect;

import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.IndexEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;

/** {@code t$table_indexes}: the lines of the index manifest, key-hash files included. */
final class TableIndexesTable implements SystemTable {

  private static final RowType TYPE = type();

  private static RowType type() {
    RowType range =
        Rows.type(
            "f0 STRING NOT NULL", "f1 INT NOT NULL", "f2 INT NOT NULL", "_CARDINALITY BIGINT");
    List<Column> columns =
        new ArrayList<>(
            Rows.type(
                    "partition STRING",
                    "bucket INT NOT NULL",
                    "index_type STRING NOT NULL",
                    "file_name STRING NOT NULL",
                    "file_size BIGINT NOT NULL",
                    "row_count BIGINT NOT NULL")
                .columns());
    ColumnType ranges = new ColumnType.Array(new ColumnType.Row(range.columns(), true), true);
    columns.add(new Column(columns.size(), "dv_ranges", ranges));
    return new RowType(columns);
  }

  @Override
  public String name() {
    return "table_indexes";
  }

  @Override
  public RowType rowType() {
    return TYPE;
  }

  @Override
  public boolean showsSnapshot() {
    return true;
  }

  @Override
  public List<InternalRow> rows(Inspected inspected) throws IOException {
    PartitionText partitions = inspected.partitions();
    return inspected.live().indexEntries().stream().map(entry -> row(partitions, entry)).toList();
  }

  private static InternalRow row(PartitionText partitions, IndexEntry entry) {
    return Rows.of(
        partitions.of(entry.bucket().partition()),
        entry.bucket().bucket(),
        entry.type(),
        entry.fileName(),
        entry.fileSize(),
        entry.rowCount(),
        ranges(entry.ranges()));
  }

  private static GenericArrayData ranges(List<DeletionFile.Range> ranges) {
    return ranges == null
        ? null
        : new GenericArrayData(
            ranges.stream()
                .map(r -> Rows.of(r.dataFile(), r.offset(), r.length(), r.cardinality()))
                .toArray());
  }
}
