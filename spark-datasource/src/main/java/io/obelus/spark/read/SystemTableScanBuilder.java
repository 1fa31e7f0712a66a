package io.obelus.spark.read;

import io.obelus.core.row.RowType;
import io.obelus.core.table.inspect.Inspected;
import io.obelus.core.table.inspect.SystemTable;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Drops columns of a system table; conditions and limits are left to Spark. */
public final class SystemTableScanBuilder implements ScanBuilder, SupportsPushDownRequiredColumns {

  private final String name;
  private final SystemTable system;
  private final Supplier<Inspected> inspected;
  private int[] columns;

  /**
   * @param name as shown to people
   * @param inspected what is looked at, asked for when the scan is built
   */
  public SystemTableScanBuilder(String name, SystemTable system, Supplier<Inspected> inspected) {
    this.name = name;
    this.system = system;
    this.inspected = inspected;
    pruneColumns(system.rowType().toSpark());
  }

  /** Columns with parts are always returned whole. */
  @Override
  public void pruneColumns(StructType required) {
    RowType type = system.rowType();
    columns =
        Arrays.stream(required.fields()).map(StructField::name).mapToInt(type::indexOf).toArray();
  }

  @Override
  public Scan build() {
    return new SystemTableScan(name, system, inspected.get(), columns);
  }
}
