package io.obelus.core.table.scan;

import io.obelus.core.file.data.BatchBuilder;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ProjectedRow;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Reads the rows in which two snapshots differ as column batches. Rows that only moved to another
 * file are none. Memory: a batch for each sorted run of the bucket, and two bitmaps for each file.
 * Not thread-safe.
 *
 * <pre>
 *   key only after             +I
 *   key only before            -D
 *   key in both, other values  -U, then +U
 * </pre>
 *
 * <p>Rows without a key are inserted or deleted, never updated.
 */
public final class DifferenceReader implements Closeable {

  /** What became of the row: {@code +I}, {@code -U}, {@code +U} or {@code -D}. */
  public static final Column ROW_KIND =
      new Column(-5, "_row_kind", ColumnType.string().withNullable(false));

  private final ChangedRows rows;
  private final boolean allKinds;
  private final int capacity;
  private final BatchBuilder builder;
  private final ProjectedRow wanted;
  private final GenericInternalRow kind = new GenericInternalRow(1);
  private final InternalRow partition; // its values, whatever a file holds
  private final JoinedRow located = new JoinedRow();
  private final JoinedRow joined = new JoinedRow();
  private final UTF8String[] texts = new UTF8String[RowKind.values().length];

  /**
   * Prepares to read; files are opened when needed.
   *
   * @param columns columns of the table to return; {@link #ROW_KIND} comes behind them
   * @param allKinds whether rows of kinds {@code -U} and {@code -D} are returned too; else only
   *     what is there afterwards
   */
  public DifferenceReader(
      Table table,
      RowType columns,
      boolean allKinds,
      DataFiles.BatchSettings batches,
      Difference difference) {
    this.rows =
        table.schema().keyed()
            ? new ChangedKeys(table, batches, difference)
            : new ChangedPositions(table, batches, difference);
    this.allKinds = allKinds;
    this.capacity = batches.capacity();
    List<Column> all = new ArrayList<>(columns.columns());
    all.add(ROW_KIND);
    this.builder = new BatchBuilder(new RowType(all), capacity);
    RowType partitionType = table.schema().partitionType();
    this.partition = new BinaryRows(partitionType).read(difference.bucket().partition().bytes());
    this.wanted = wanted(table.schema().rowType(), partitionType, columns);
    for (RowKind each : RowKind.values()) {
      texts[each.code()] = UTF8String.fromString(each.text());
    }
  }

  /** Columns of the partition's values followed by a row, which may have more columns behind. */
  private static ProjectedRow wanted(RowType type, RowType partitionType, RowType columns) {
    List<Column> below = new ArrayList<>(partitionType.columns());
    below.addAll(type.columns());
    int[] indexes = new int[columns.size()];
    for (int i = 0; i < indexes.length; i++) {
      int id = columns.column(i).id();
      int inPartition = partitionType.indexOfId(id);
      indexes[i] = inPartition < 0 ? partitionType.size() + type.indexOfId(id) : inPartition;
    }
    return new ProjectedRow(below, indexes);
  }

  /** The next batch with at least one row, or null at the end; valid until the next call. */
  public ColumnarBatch next() throws IOException {
    builder.reset();
    while (!builder.full() && rows.next()) {
      if (allKinds || !rows.kind().isRetract()) {
        kind.update(0, texts[rows.kind().code()]);
        InternalRow row = wanted.over(located.apply(partition, rows.row()));
        builder.add(joined.apply(row, kind));
      }
    }
    return builder.isEmpty() ? null : builder.batch();
  }

  @Override
  public void close() throws IOException {
    builder.close();
    rows.close();
  }
}
