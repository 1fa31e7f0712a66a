package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.io.Closeable;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The batch that a reader hands out, made of the vectors that Spark's reader decodes into: as they
 * are where possible, rows dropped in place, other types widened into vectors of our own.
 */
final class Output implements Closeable {

  private final List<ReadColumns.Source> sources;
  private final WritableColumnVector[] decoded;
  private final WritableColumnVector[] own;
  private final ColumnarBatch batch;

  /**
   * @param decoded vectors of the columns decoded; they belong to their reader
   */
  Output(
      List<ReadColumns.Source> sources,
      RowType columns,
      WritableColumnVector[] decoded,
      DataFiles.BatchSettings batches) {
    this.sources = sources;
    this.decoded = decoded;
    this.own = new WritableColumnVector[sources.size()];
    ColumnVector[] vectors = new ColumnVector[sources.size()];
    for (int i = 0; i < vectors.length; i++) {
      ReadColumns.Source source = sources.get(i);
      if (source.isMissing()) {
        own[i] = vector(columns.column(i), batches);
        own[i].setAllNull();
        own[i].setIsConstant();
      } else if (source.widening() != null) {
        own[i] = vector(columns.column(i), batches);
      }
      vectors[i] = own[i] != null ? own[i] : decoded[source.decoded()];
    }
    this.batch = new ColumnarBatch(vectors);
  }

  private static WritableColumnVector vector(Column column, DataFiles.BatchSettings batches) {
    DataType type = SparkTypes.toSpark(column.type());
    return batches.offHeap()
        ? new OffHeapColumnVector(batches.capacity(), type)
        : new OnHeapColumnVector(batches.capacity(), type);
  }

  ColumnarBatch batch() {
    return batch;
  }

  /** Makes the batch of all rows decoded. */
  void all(int rows) {
    for (int i = 0; i < own.length; i++) {
      if (isWidened(i)) {
        own[i].reset();
        for (int row = 0; row < rows; row++) {
          widen(i, row, row);
        }
      }
    }
    batch.setNumRows(rows);
  }

  /** Makes the batch of the rows {@code kept[0..count)} of those decoded, ascending. */
  void some(int[] kept, int count) {
    for (int i = 0; i < own.length; i++) {
      if (isWidened(i)) {
        own[i].reset();
        for (int j = 0; j < count; j++) {
          widen(i, kept[j], j);
        }
      }
    }
    for (int i = 0; i < own.length; i++) {
      if (own[i] == null) {
        VectorCompactor.keep(decoded[sources.get(i).decoded()], kept, count);
      }
    }
    batch.setNumRows(count);
  }

  private boolean isWidened(int column) {
    return own[column] != null && !sources.get(column).isMissing();
  }

  private void widen(int column, int row, int at) {
    ReadColumns.Source source = sources.get(column);
    WritableColumnVector from = decoded[source.decoded()];
    if (from.isNullAt(row)) {
      own[column].putNull(at);
    } else {
      source.widening().put(from, row, own[column], at);
    }
  }

  @Override
  public void close() {
    for (WritableColumnVector vector : own) {
      if (vector != null) {
        vector.close();
      }
    }
  }
}
