package io.obelus.core.table.verify;

import io.obelus.core.row.RowKind;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** A data file has as many retracts as the manifest says: by that readers know when to merge. */
final class RetractCountCheck implements RowCheck {

  static final String NAME = "retract_count";

  private final ReadFile read;
  private long found;

  RetractCountCheck(ReadFile read) {
    this.read = read;
  }

  @Override
  public void rows(ColumnarBatch batch, long first) {
    ColumnVector kinds = batch.column(read.kind());
    for (int i = 0; i < batch.numRows(); i++) {
      found += RowKind.isRetract(kinds.getByte(i)) ? 1 : 0;
    }
  }

  @Override
  public void end() {
    Long said = read.file().deleteRowCount();
    if (said != null && said != found) {
      read.report()
          .error(
              NAME,
              read.where(),
              "it should have %d retracts by the manifest but has %d".formatted(said, found),
              Mend.ROLLBACK,
              read.file().name());
    }
  }
}
