package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Table;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
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
   * <p>A DELETE that the table cannot have is refused only when it is to be written: Spark may find
   * until then that its condition takes whole partitions, and that metadata can do it.
   *
   * @throws IllegalArgumentException if the table cannot have it; the message says why
   */
  @Override
  public RowLevelOperation build() {
    table.options().checkWritable();
    Command command = info.command();
    String refusal =
        RowIdentity.refusal(table, command)
            .map(why -> table.name() + ": " + command + " is not possible on this table: " + why)
            .orElse(null);
    if (refusal == null) {
      return new ObelusRowLevelOperation(table, command, RowIdentity.of(table), null);
    }
    if (command != Command.DELETE) {
      throw new IllegalArgumentException(refusal);
    }
    return new ObelusRowLevelOperation(table, command, RowIdentity.none(table), refusal);
  }
}
