package io.obelus.spark.read;

import io.obelus.core.row.ProjectedRow;
import io.obelus.core.table.inspect.Inspected;
import io.obelus.core.table.inspect.SystemTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The rows of a system table: read by the driver from metadata files, once, without a job. */
final class SystemTableScan implements LocalScan, SupportsReportStatistics {

  private final String name;
  private final SystemTable system;
  private final Inspected inspected;
  private final int[] columns;
  private InternalRow[] rows;

  /**
   * @param columns indexes of those to return
   */
  SystemTableScan(String name, SystemTable system, Inspected inspected, int[] columns) {
    this.name = name;
    this.system = system;
    this.inspected = inspected;
    this.columns = columns;
  }

  @Override
  public StructType readSchema() {
    StructField[] all = system.rowType().toSpark().fields();
    return new StructType(
        Arrays.stream(columns).mapToObj(column -> all[column]).toArray(StructField[]::new));
  }

  @Override
  public synchronized InternalRow[] rows() {
    if (rows == null) {
      ProjectedRow projected = new ProjectedRow(system.rowType(), columns);
      try {
        rows =
            system.rows(inspected).stream()
                .map(row -> projected.over(row).copy())
                .toArray(InternalRow[]::new);
      } catch (IOException e) {
        throw new UncheckedIOException(name + " could not be read: " + e.getMessage(), e);
      }
    }
    return rows;
  }

  /** Exact: the rows are needed anyway, and their number lets Spark choose a cheap join. */
  @Override
  public Statistics estimateStatistics() {
    long count = rows().length;
    long size = Math.max(1, count * readSchema().defaultSize());
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(size);
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.of(count);
      }
    };
  }

  @Override
  public String description() {
    String snapshot =
        !system.showsSnapshot() || inspected.snapshot() == null
            ? ""
            : " [snapshot " + inspected.snapshot().id() + "]";
    return "obelus " + name + snapshot;
  }
}
