package io.obelus.core.table.verify;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The first and the last key of a data file are those that the manifest has. */
final class KeyBoundsCheck implements RowCheck {

  static final String NAME = "key_bounds";

  private final ReadFile read;
  private final int[] inRow;
  private final RowType key;
  private final int[] all;
  private final InternalRow min;
  private final InternalRow max;
  private final Comparator<InternalRow> order;
  private String first;
  private String last;
  private long lastPosition;

  KeyBoundsCheck(ReadFile read) {
    this.read = read;
    this.inRow = read.indexesOf(read.table().schema().keyType());
    this.key = new RowType(IntStream.of(inRow).mapToObj(read.columns()::column).toList());
    this.all = IntStream.range(0, key.size()).toArray();
    BinaryRows rows = new BinaryRows(key);
    this.min = rows.read(read.file().minKey().bytes());
    this.max = rows.read(read.file().maxKey().bytes());
    this.order = RowComparator.across(key, all, inRow);
  }

  @Override
  public void rows(ColumnarBatch batch, long position) {
    if (position == 0) {
      first = wrong(min, batch.getRow(0));
    }
    last = wrong(max, batch.getRow(batch.numRows() - 1));
    lastPosition = position + batch.numRows() - 1;
  }

  /** The key of a row, if it is not the one that is expected. */
  private String wrong(InternalRow expected, InternalRow row) {
    return order.compare(expected, row) == 0 ? null : Values.text(row, read.columns(), inRow);
  }

  @Override
  public void end() {
    report("first", first, min, 0);
    report("last", last, max, lastPosition);
  }

  private void report(String which, String found, InternalRow expected, long position) {
    if (found != null) {
      read.report()
          .error(
              NAME,
              read.where().at(position),
              "the %s key should be %s by the manifest but is %s"
                  .formatted(which, Values.text(expected, key, all), found),
              Mend.ROLLBACK,
              read.file().name());
    }
  }
}
