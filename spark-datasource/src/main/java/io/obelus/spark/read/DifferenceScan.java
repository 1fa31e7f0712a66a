package io.obelus.spark.read;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.DifferencePlan;
import io.obelus.core.table.scan.DifferenceReader;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.ScanRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;

/**
 * The scan of what lies between two snapshots: a task for each bucket in which they differ.
 *
 * @param columns of the table
 * @param condition what cannot match may be left out; Spark checks it again
 * @param allKinds whether rows that are gone are returned, too, and each row's kind behind its
 *     columns
 */
record DifferenceScan(
    Table table,
    ScanRange.Ends ends,
    RowType columns,
    Predicate condition,
    boolean allKinds,
    BatchSettings batches)
    implements Scan, Batch {

  @Override
  public StructType readSchema() {
    List<Column> all = new ArrayList<>(columns.columns());
    all.add(DifferenceReader.ROW_KIND);
    return new RowType(allKinds ? all : columns.columns()).toSpark();
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    try {
      return DifferencePlan.between(table, ends.before(), ends.after(), condition).stream()
          .map(DifferencePartition::new)
          .toArray(InputPartition[]::new);
    } catch (IOException e) {
      throw new UncheckedIOException("the scan of " + table.name() + " could not be planned", e);
    }
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new DifferenceReaderFactory(table, columns, allKinds, batches);
  }

  @Override
  public String description() {
    return "obelus %s [from %s to snapshot %d, columns %s%s%s]"
        .formatted(
            table.name(),
            ends.before() == null ? "the beginning" : "snapshot " + ends.before().id(),
            ends.after().id(),
            columns.names(),
            condition.equals(Predicate.ALWAYS) ? "" : ", condition " + PredicateText.of(condition),
            allKinds ? ", with row kinds" : "");
  }
}
