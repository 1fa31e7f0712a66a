package io.obelus.core.table.inspect;

import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.StatisticsFiles;
import io.obelus.core.table.snapshot.TableStatistics;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@code t$statistics}: what ANALYZE TABLE found out last; no row if it never ran. */
final class StatisticsTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "snapshot_id BIGINT NOT NULL",
          "schema_id BIGINT NOT NULL",
          "mergedRecordCount BIGINT",
          "mergedRecordSize BIGINT",
          "colstat STRING");

  @Override
  public String name() {
    return "statistics";
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
    StatisticsFiles files = inspected.table().statisticsFiles();
    return files.of(inspected.snapshot()).stream().map(found -> row(files, found)).toList();
  }

  private static InternalRow row(StatisticsFiles files, TableStatistics found) {
    return Rows.of(
        found.snapshotId(),
        found.schemaId(),
        found.rowCount(),
        found.byteSize(),
        files.columnsAsJson(found));
  }
}
