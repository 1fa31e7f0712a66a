package io.obelus.spark.write;

import io.obelus.core.table.snapshot.Table;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDynamicOverwrite;
import org.apache.spark.sql.connector.write.SupportsOverwriteV2;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;

/** Builds the write of one statement. Building has no side effects: Spark does it several times. */
public final class ObelusWriteBuilder
    implements WriteBuilder, SupportsOverwriteV2, SupportsDynamicOverwrite {

  /**
   * @param hasFunctionCatalog whether the table was loaded through one of our catalogs, which knows
   *     the functions by which rows are spread over tasks
   */
  public ObelusWriteBuilder(Table table, LogicalWriteInfo info, boolean hasFunctionCatalog) {
    throw new UnsupportedOperationException("to be written");
  }

  @Override
  public WriteBuilder truncate() {
    return this;
  }

  @Override
  public boolean canOverwrite(Predicate[] predicates) {
    return false;
  }

  @Override
  public WriteBuilder overwrite(Predicate[] predicates) {
    return this;
  }

  @Override
  public WriteBuilder overwriteDynamicPartitions() {
    return this;
  }

  @Override
  public Write build() {
    throw new UnsupportedOperationException("to be written");
  }
}
