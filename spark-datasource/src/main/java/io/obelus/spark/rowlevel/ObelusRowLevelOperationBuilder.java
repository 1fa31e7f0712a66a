package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Table;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;

/** Builds the operation behind one DELETE, UPDATE or MERGE. */
public final class ObelusRowLevelOperationBuilder implements RowLevelOperationBuilder {

  public ObelusRowLevelOperationBuilder(Table table, RowLevelOperationInfo info) {
    throw new UnsupportedOperationException("to be written");
  }

  @Override
  public RowLevelOperation build() {
    throw new UnsupportedOperationException("to be written");
  }
}
