package io.obelus.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;

/**
 * A new table of another provider in the session catalog, which knows no stages: it is there
 * already, and is dropped again if its query fails.
 */
final class UnstagedTable implements StagedTable, SupportsWrite {

  private final Table table;
  private final Runnable drop;

  UnstagedTable(Table table, Runnable drop) {
    this.table = table;
    this.drop = drop;
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  @SuppressWarnings("deprecation")
  public StructType schema() {
    return table.schema();
  }

  @Override
  public Transform[] partitioning() {
    return table.partitioning();
  }

  @Override
  public Map<String, String> properties() {
    return table.properties();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return table.capabilities();
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    if (table instanceof SupportsWrite writable) {
      return writable.newWriteBuilder(info);
    }
    throw new UnsupportedOperationException("table " + table.name() + " cannot be written");
  }

  @Override
  public void commitStagedChanges() {}

  @Override
  public void abortStagedChanges() {
    drop.run();
  }
}
