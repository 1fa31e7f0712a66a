package io.obelus.spark.rowlevel;

import io.obelus.core.row.RowBytes;
import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.maintenance.AfterCommit;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.expression.PartitionCondition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * Deletes whole partitions without reading a row: what {@code SupportsDeleteV2} and {@code TRUNCATE
 * TABLE} ask of a table.
 */
public final class MetadataDelete {

  private final Table table;

  public MetadataDelete(Table table) {
    this.table = table;
  }

  /** Whether the predicates, all of which must hold, speak of nothing but partition columns. */
  public boolean can(Predicate[] predicates) {
    return PartitionCondition.of(predicates, table.schema()).isPresent();
  }

  /** Deletes the partitions for which all predicates are true; commits one snapshot. */
  public void delete(Predicate[] predicates) {
    replace(
        PartitionCondition.of(predicates, table.schema())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        table.name()
                            + ": partitions can be deleted only by a condition on "
                            + table.schema().partitionKeys())));
  }

  /** Deletes all rows. */
  public void truncate() {
    replace(partition -> true);
  }

  /** Deletes all rows of some partitions; commits one snapshot. */
  void replace(java.util.function.Predicate<RowBytes> partitions) {
    table.options().checkWritable();
    try {
      Snapshot base = table.snapshots().latest().orElse(null);
      if (base != null) {
        new Commit(table, base)
            .overwrite(List.of(), partitions)
            .ifPresent(snapshot -> AfterCommit.run(table, snapshot));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
