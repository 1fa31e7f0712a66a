package io.obelus.core.table.scan;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.Table;
import java.io.Closeable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Puts together what a scan returns: columns read from files, partition values (always those of the
 * manifest, never the file's), and where the row is. Not thread-safe.
 */
final class OutputColumns implements Closeable {

  private final Table table;
  private final RowType columns;
  private final RowType partitionType;
  private final RowType fileColumns;

  /** For each output column its index among the file columns, or -1. */
  private final int[] inFile;

  private final ColumnVector[] constants;
  private final WritableColumnVector[] perRow;

  OutputColumns(Table table, RowType columns, int capacity) {
    this.table = table;
    this.columns = columns;
    partitionType = table.schema().partitionType();
    inFile = new int[columns.size()];
    constants = new ColumnVector[columns.size()];
    perRow = new WritableColumnVector[columns.size()];
    List<Column> read = new ArrayList<>();
    for (int i = 0; i < inFile.length; i++) {
      Column column = columns.column(i);
      boolean ofFile = column.id() >= 0 && partitionType.indexOfId(column.id()) < 0;
      inFile[i] = ofFile ? read.size() : -1;
      if (ofFile) {
        read.add(column);
      } else if (column.equals(MetadataColumns.FILE) || column.equals(MetadataColumns.POSITION)) {
        perRow[i] = new OnHeapColumnVector(capacity, sparkType(column));
      }
    }
    fileColumns = new RowType(read);
  }

  /** The columns to be read from files, in output order. */
  RowType fileColumns() {
    return fileColumns;
  }

  /** Whether file columns are all there is. */
  private boolean plain() {
    return fileColumns.size() == columns.size();
  }

  /** Sets the values that are the same in all rows of a bucket. */
  void enter(Split.Part part) {
    if (plain()) {
      return;
    }
    InternalRow partition = new BinaryRows(partitionType).read(part.bucket().partition().bytes());
    for (int i = 0; i < inFile.length; i++) {
      Column column = columns.column(i);
      int partitionIndex = partitionType.indexOfId(column.id());
      if (partitionIndex >= 0) {
        constants[i] = constant(column, partition, partitionIndex);
      } else if (column.equals(MetadataColumns.BUCKET)) {
        constants[i] = constant(column, oneValue(part.bucket().bucket()), 0);
      } else if (column.equals(MetadataColumns.PARTITION)) {
        String path = new PartitionPath(table.schema()).of(part.bucket().partition());
        constants[i] = constant(column, oneValue(UTF8String.fromString(path)), 0);
      }
    }
  }

  /** The output batch for a batch of file columns. */
  ColumnarBatch of(LocatedBatch batch) {
    ColumnarBatch read = batch.columns();
    if (plain()) {
      return read;
    }
    int rows = read.numRows();
    ColumnVector[] vectors = new ColumnVector[inFile.length];
    for (int i = 0; i < vectors.length; i++) {
      if (inFile[i] >= 0) {
        vectors[i] = read.column(inFile[i]);
      } else if (perRow[i] != null) {
        vectors[i] = located(columns.column(i), perRow[i], batch, rows);
      } else {
        vectors[i] = constants[i];
      }
    }
    return new ColumnarBatch(vectors, rows);
  }

  private static ColumnVector located(
      Column column, WritableColumnVector vector, LocatedBatch batch, int rows) {
    vector.reset();
    if (column.equals(MetadataColumns.POSITION)) {
      for (int row = 0; row < rows; row++) {
        vector.putLong(row, batch.position(row));
      }
    } else {
      putFiles(vector, batch, rows);
    }
    return vector;
  }

  /** Rows of one file mostly follow each other: its name is stored once for all of them. */
  private static void putFiles(WritableColumnVector vector, LocatedBatch batch, int rows) {
    String file = null;
    int offset = 0;
    int length = 0;
    for (int row = 0; row < rows; row++) {
      String next = batch.file(row);
      if (next.equals(file)) {
        vector.putArray(row, offset, length);
      } else {
        byte[] bytes = next.getBytes(StandardCharsets.UTF_8);
        offset = vector.putByteArray(row, bytes);
        length = bytes.length;
        file = next;
      }
    }
  }

  private static ColumnVector constant(Column column, InternalRow row, int index) {
    ConstantColumnVector vector = new ConstantColumnVector(1, sparkType(column));
    ColumnVectorUtils.populate(vector, row, index);
    return vector;
  }

  private static InternalRow oneValue(Object value) {
    return new GenericInternalRow(new Object[] {value});
  }

  private static DataType sparkType(Column column) {
    StructType struct = new RowType(List.of(column)).toSpark();
    return struct.fields()[0].dataType();
  }

  @Override
  public void close() {
    for (WritableColumnVector vector : perRow) {
      if (vector != null) {
        vector.close();
      }
    }
  }
}
