package io.obelus.core.table.verify;

import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The {@code _KEY_} columns of a data file hold what its key columns hold. Nothing of ours reads
 * them, but other engines merge rows by them.
 */
final class KeyCopyCheck implements RowCheck {

  static final String NAME = "key_copy";

  private final ReadFile read;
  private final int[] keys;
  private final int[] copies;
  private final Comparator<InternalRow> order;
  private final Strays different = new Strays();
  private String differentText;

  KeyCopyCheck(ReadFile read) {
    this.read = read;
    RowType key = read.table().schema().keyType();
    this.keys = read.indexesOf(key);
    this.copies = IntStream.range(0, key.size()).map(i -> read.keyCopies() + i).toArray();
    this.order = RowComparator.across(read.columns(), copies, keys);
  }

  @Override
  public void rows(ColumnarBatch batch, long first) {
    if (batch.column(copies[0]).isNullAt(0)) {
      return; // no key is NULL: the file is a thin one, without copies
    }
    for (int i = 0; i < batch.numRows(); i++) {
      InternalRow row = batch.getRow(i);
      if (order.compare(row, row) != 0 && different.add(first + i)) {
        differentText =
            "the row has key %s, but its _KEY_ columns say %s"
                .formatted(
                    Values.text(row, read.columns(), keys),
                    Values.text(row, read.columns(), copies));
      }
    }
  }

  @Override
  public void end() {
    read.report(NAME, different, differentText, Mend.OVERWRITE);
  }
}
