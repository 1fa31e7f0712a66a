package io.obelus.spark.read;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.DifferenceReader;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Opens differences in tasks, as batches. */
final class DifferenceReaderFactory implements PartitionReaderFactory {

  private static final long serialVersionUID = 1;

  private final Table table;
  private final RowType columns;
  private final boolean allKinds;
  private final BatchSettings batches;

  DifferenceReaderFactory(Table table, RowType columns, boolean allKinds, BatchSettings batches) {
    this.table = table;
    this.columns = columns;
    this.allKinds = allKinds;
    this.batches = batches;
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("read as batches");
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return new Batches(
        new DifferenceReader(
            table, columns, allKinds, batches, ((DifferencePartition) partition).difference()));
  }

  private final class Batches implements PartitionReader<ColumnarBatch> {

    private final DifferenceReader reader;
    private ColumnarBatch batch;

    Batches(DifferenceReader reader) {
      this.reader = reader;
    }

    @Override
    public boolean next() throws IOException {
      batch = reader.next();
      return batch != null;
    }

    @Override
    public ColumnarBatch get() {
      if (allKinds) {
        return batch;
      }
      ColumnVector[] wanted = new ColumnVector[columns.size()]; // without the kind
      for (int i = 0; i < wanted.length; i++) {
        wanted[i] = batch.column(i);
      }
      return new ColumnarBatch(wanted, batch.numRows());
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
