package io.obelus.core.table.verify;

import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The sequence numbers of a data file lie between the two that the manifest has. */
final class SequenceBoundsCheck implements RowCheck {

  static final String NAME = "sequence_bounds";

  private final ReadFile read;
  private final long min;
  private final long max;
  private final Strays outside = new Strays();
  private long number;

  SequenceBoundsCheck(ReadFile read) {
    this.read = read;
    this.min = read.file().minSequence();
    this.max = read.file().maxSequence();
  }

  @Override
  public void rows(ColumnarBatch batch, long first) {
    ColumnVector numbers = batch.column(read.sequence());
    for (int i = 0; i < batch.numRows(); i++) {
      long found = numbers.getLong(i);
      if ((found < min || found > max) && outside.add(first + i)) {
        number = found;
      }
    }
  }

  @Override
  public void end() {
    read.report(
        NAME,
        outside,
        "sequence number %d is not in [%d, %d] as the manifest has it".formatted(number, min, max),
        Mend.ROLLBACK);
  }
}
