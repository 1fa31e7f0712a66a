package io.obelus.core.table.verify;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The partition columns of each row are those of the partition that the manifest has. */
final class RowPartitionCheck implements RowCheck {

  static final String NAME = "row_partition";

  private final ReadFile read;
  private final int[] inRow;
  private final RowType type;
  private final InternalRow partition;

  /** Null if the file does not have the columns. */
  private final Comparator<InternalRow> order;

  private final Strays elsewhere = new Strays();
  private String other;

  RowPartitionCheck(ReadFile read) {
    this.read = read;
    this.type = read.table().schema().partitionType();
    this.inRow = read.indexesOf(type);
    this.partition = new BinaryRows(type).read(read.bucket().id().partition().bytes());
    boolean stored = type.size() > 0 && IntStream.of(inRow).allMatch(i -> i >= 0);
    this.order =
        stored
            ? RowComparator.across(type, IntStream.range(0, type.size()).toArray(), inRow)
            : null;
  }

  @Override
  public void rows(ColumnarBatch batch, long first) {
    if (order == null) {
      return;
    }
    for (int i = 0; i < batch.numRows(); i++) {
      InternalRow row = batch.getRow(i);
      if (order.compare(partition, row) != 0 && elsewhere.add(first + i)) {
        other = Values.text(row, read.columns(), inRow);
      }
    }
  }

  @Override
  public void end() {
    read.report(
        NAME,
        elsewhere,
        "the row has partition values %s, but the manifest has the file in partition %s"
            .formatted(other, read.where().partition()),
        Mend.OVERWRITE);
  }
}
