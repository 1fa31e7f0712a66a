package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Table;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;

/** Builds the operation behind one DELETE, UPDATE or MERGE. */
public final class ObelusRowLevelOperationBuilder implements RowLevelOperationBuilder {

  private final Table table;
  private final RowLevelOperationInfo info;

  public ObelusRowLevelOperationBuilder(Table table, RowLevelOperationInfo info) {
    this.table = table;
    this.info = info;
  }

  /**
   * The operation.
   *
   * @throws IllegalArgumentException if the table cannot have it; the message says why
   */
  @Override
  public RowLevelOperation build() {
    table.options().checkWritable();
    return new ObelusRowLevelOperation(
        table, info.command(), RowIdentity.of(table, info.command()));
  }
}
