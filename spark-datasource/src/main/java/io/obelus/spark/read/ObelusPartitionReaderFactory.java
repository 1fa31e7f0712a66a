package io.obelus.spark.read;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.SplitReader;
import io.obelus.core.table.snapshot.Table;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Opens splits in tasks, as batches or as rows. */
final class ObelusPartitionReaderFactory implements PartitionReaderFactory {

  private static final long serialVersionUID = 1;

  private final Table table;
  private final RowType columns;
  private final BatchSettings batches;
  private final boolean vectorized;

  ObelusPartitionReaderFactory(
      Table table, RowType columns, BatchSettings batches, boolean vectorized) {
    this.table = table;
    this.columns = columns;
    this.batches = batches;
    this.vectorized = vectorized;
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return vectorized;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return new ObelusColumnarReader(open(partition), files(partition));
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new ObelusRowReader(new ObelusColumnarReader(open(partition), files(partition)));
  }

  private SplitReader open(InputPartition partition) {
    ObelusPartition part = part(partition);
    return new SplitReader(table, columns, part.filter(), batches, part.split());
  }

  private static ObelusPartition part(InputPartition partition) {
    return partition instanceof KeyedPartition keyed ? keyed.part() : (ObelusPartition) partition;
  }

  private static long files(InputPartition partition) {
    return part(partition).split().parts().stream()
        .map(part -> part.file().name())
        .distinct()
        .count();
  }
}
