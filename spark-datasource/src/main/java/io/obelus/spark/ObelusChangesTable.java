package io.obelus.spark;

import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.DifferenceReader;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.BranchOption;
import io.obelus.spark.option.ScanRange;
import io.obelus.spark.read.DifferenceScanBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * System table {@code t$changes}: what happened to the rows of the table between two snapshots,
 * which an option of {@link ScanRange} names. Its columns are those of the table, behind {@link
 * DifferenceReader#ROW_KIND}.
 */
public final class ObelusChangesTable implements SupportsRead {

  private final Table table;

  ObelusChangesTable(Table table) {
    if (table.schema().rowType().indexOf(DifferenceReader.ROW_KIND.name()) >= 0) {
      throw new IllegalArgumentException(
          "%s$changes: the table has a column '%s' itself; rename it to see changes"
              .formatted(table.name(), DifferenceReader.ROW_KIND.name()));
    }
    this.table = table;
  }

  static IllegalArgumentException needsRange(Table table) {
    return new IllegalArgumentException(
        ("%s$changes shows what lies between two snapshots: give option '%s' = '<start>,<end>', or"
                + " select from obelus_incremental_changes('%s', <start>, <end>)")
            .formatted(table.name(), ScanRange.BETWEEN, table.name()));
  }

  @Override
  public String name() {
    return table.name() + "$changes";
  }

  @Override
  @SuppressWarnings("deprecation") // the columns that Spark asks for are made from it
  public StructType schema() {
    List<Column> columns = new ArrayList<>();
    columns.add(DifferenceReader.ROW_KIND);
    columns.addAll(table.schema().rowType().columns());
    return new RowType(columns).toSpark();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    BranchOption.check(table, options);
    ScanRange range = ScanRange.of(options).orElseThrow(() -> needsRange(table));
    return new DifferenceScanBuilder(table, range.in(table), true, options);
  }

  /** See {@link ObelusTable#equals}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ObelusChangesTable that
        && table.directory().equals(that.table.directory());
  }

  @Override
  public int hashCode() {
    return table.directory().hashCode();
  }

  @Override
  public String toString() {
    return name();
  }
}
