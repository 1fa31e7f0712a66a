package io.obelus.spark.write;

import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.expression.PartitionCondition;
import io.obelus.spark.option.SchemaMergeOption;
import io.obelus.spark.option.StatementOptions;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDynamicOverwrite;
import org.apache.spark.sql.connector.write.SupportsOverwriteV2;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Builds the write of one statement. Building has no side effects: Spark does it several times. */
public final class ObelusWriteBuilder
    implements WriteBuilder, SupportsOverwriteV2, SupportsDynamicOverwrite {

  private final Table table;
  private final LogicalWriteInfo info;
  private final boolean hasFunctionCatalog;
  private final MergedSchema merged;
  private Overwrite overwrite;

  /**
   * @param info with option {@code write.merge-schema}, of a table that told Spark to accept any
   *     columns
   * @param hasFunctionCatalog whether the table was loaded through one of our catalogs, which knows
   *     the functions by which rows are spread over tasks
   */
  public ObelusWriteBuilder(Table table, LogicalWriteInfo info, boolean hasFunctionCatalog) {
    this.table =
        StatementOptions.ofWrite(table.schema(), info.options().asCaseSensitiveMap())
            .applyTo(table);
    this.info = info;
    this.hasFunctionCatalog = hasFunctionCatalog;
    this.merged =
        SchemaMergeOption.of(info.options())
            .map(option -> new MergedSchema(table, info, option, hasFunctionCatalog))
            .orElse(null);
  }

  @Override
  public WriteBuilder truncate() {
    overwrite = Overwrite.ALL;
    return this;
  }

  /** Only whole partitions can be replaced. */
  @Override
  public boolean canOverwrite(Predicate[] predicates) {
    return PartitionCondition.of(predicates, table.schema()).isPresent();
  }

  @Override
  public WriteBuilder overwrite(Predicate[] predicates) {
    overwrite =
        new Overwrite(
            PartitionCondition.of(predicates, table.schema())
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            table.name()
                                + ": an overwrite replaces whole partitions; its condition may"
                                + " speak only of the partition columns "
                                + table.schema().partitionKeys()
                                + ", and not of anything else. Use MERGE or DELETE instead.")));
    return this;
  }

  @Override
  public WriteBuilder overwriteDynamicPartitions() {
    overwrite = Overwrite.WRITTEN;
    return this;
  }

  @Override
  public Write build() {
    if (merged != null) {
      return ObelusWrite.merging(merged, overwrite, info.queryId());
    }
    table.options().checkWritable();
    checkColumns();
    return new ObelusWrite(
        table, overwrite, Clustering.of(table, hasFunctionCatalog), info.queryId());
  }

  /** Spark lets a stream to a path have any columns; the others it has checked by now. */
  private void checkColumns() {
    RowType type = table.schema().rowType();
    StructType expected = type.toSpark();
    StructType given = info.schema();
    boolean same = expected.length() == given.length();
    for (int i = 0; same && i < expected.length(); i++) {
      StructField column = expected.apply(i);
      same =
          column.name().equalsIgnoreCase(given.apply(i).name())
              && DataType.equalsIgnoreNullability(column.dataType(), given.apply(i).dataType());
    }
    if (!same) {
      throw new IllegalArgumentException(
          "%s: rows to be written should have the columns %s but have %s"
              .formatted(table.name(), expected.simpleString(), given.simpleString()));
    }
  }
}
