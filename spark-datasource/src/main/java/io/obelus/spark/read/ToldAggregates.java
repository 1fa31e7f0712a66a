package io.obelus.spark.read;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.types.StructType;

/**
 * Aggregates of few files, told by their indexes while the query was planned: no job.
 *
 * @param scan the one that would have asked the indexes in tasks
 * @param groups what it would have returned, a row a group
 */
record ToldAggregates(AggregateScan scan, List<InternalRow> groups) implements LocalScan {

  @Override
  public StructType readSchema() {
    return scan.readSchema();
  }

  @Override
  public InternalRow[] rows() {
    return groups.toArray(InternalRow[]::new);
  }

  @Override
  public String description() {
    return scan.description();
  }
}
