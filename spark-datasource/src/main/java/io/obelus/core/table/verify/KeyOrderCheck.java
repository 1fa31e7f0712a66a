package io.obelus.core.table.verify;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.ProjectedRow;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/** The keys of a data file ascend, and each is there once. */
final class KeyOrderCheck implements RowCheck {

  static final String NAME = "key_order";

  private final ReadFile read;
  private final RowType key;
  private final int[] inRow;
  private final RowComparator order;
  private final Comparator<InternalRow> orderToLast;
  private final BinaryRows copies;
  private final ProjectedRow projected;
  private final Strays unsorted = new Strays();
  private final Strays twice = new Strays();
  private String unsortedText;
  private String twiceText;

  /** Key of the last row of the batch before; null before the first. */
  private InternalRow last;

  KeyOrderCheck(ReadFile read) {
    this.read = read;
    this.inRow = read.indexesOf(read.table().schema().keyType());
    RowType columns = read.columns();
    this.key = new RowType(IntStream.of(inRow).mapToObj(columns::column).toList());
    this.order = RowComparator.of(columns, inRow);
    this.orderToLast = RowComparator.across(key, IntStream.range(0, key.size()).toArray(), inRow);
    this.copies = new BinaryRows(key);
    this.projected = new ProjectedRow(columns, inRow);
  }

  @Override
  public void rows(ColumnarBatch batch, long first) {
    int rows = batch.numRows();
    if (last != null) {
      look(orderToLast.compare(last, batch.getRow(0)), batch.getRow(0), first);
    }
    ColumnarBatchRow before = before(batch);
    for (int i = 1; i < rows; i++) {
      before.rowId = i - 1;
      look(order.compare(before, batch.getRow(i)), batch.getRow(i), first + i);
    }
    last = copies.read(copies.write(projected.over(batch.getRow(rows - 1))));
  }

  /** A second view of the rows: the batch itself has one that it moves about. */
  private static ColumnarBatchRow before(ColumnarBatch batch) {
    ColumnVector[] columns = new ColumnVector[batch.numCols()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = batch.column(i);
    }
    return new ColumnarBatchRow(columns);
  }

  private void look(int comparison, InternalRow row, long position) {
    if (comparison > 0 && unsorted.add(position)) {
      unsortedText = Values.text(row, read.columns(), inRow);
    } else if (comparison == 0 && twice.add(position)) {
      twiceText = Values.text(row, read.columns(), inRow);
    }
  }

  @Override
  public void end() {
    read.report(
        NAME, unsorted, "key %s is below the one before it".formatted(unsortedText), Mend.ROLLBACK);
    read.report(
        LiveKeyCheck.NAME,
        twice,
        "key %s is in this file twice, here and in the row before".formatted(twiceText),
        Mend.ROLLBACK);
  }
}
