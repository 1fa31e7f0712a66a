package io.obelus.core.table.verify;

import io.obelus.core.row.BucketFunction;
import io.obelus.core.table.schema.TableOptions;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Each row is in the bucket that its bucket key belongs to, where buckets go by that. */
final class RowBucketCheck implements RowCheck {

  static final String NAME = "row_bucket";

  private final ReadFile read;

  /** Null where buckets do not go by a key. */
  private final BucketFunction function;

  private final int bucket;
  private final Strays elsewhere = new Strays();
  private int other;

  RowBucketCheck(ReadFile read) {
    this.read = read;
    this.bucket = read.bucket().id().bucket();
    TableOptions options = read.table().options();
    List<String> keys = options.bucketKeys();
    int[] inRow = read.indexesOf(read.table().schema().rowType().project(keys));
    int total = read.bucket().totalBuckets();
    boolean fixed = total > 0 && inRow.length > 0 && IntStream.of(inRow).allMatch(i -> i >= 0);
    this.function =
        fixed ? new BucketFunction(options.bucketFunction(), read.columns(), inRow, total) : null;
  }

  @Override
  public void rows(ColumnarBatch batch, long first) {
    if (function == null) {
      return;
    }
    for (int i = 0; i < batch.numRows(); i++) {
      int found = function.bucket(batch.getRow(i));
      if (found != bucket && elsewhere.add(first + i)) {
        other = found;
      }
    }
  }

  @Override
  public void end() {
    read.report(
        NAME,
        elsewhere,
        "the row belongs into bucket %d, not %d".formatted(other, bucket),
        Mend.OVERWRITE);
  }
}
