package io.obelus.core.table.scan;

import io.obelus.core.bucket.MergeReader;
import io.obelus.core.file.data.BatchBuilder;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The rows that are left when the runs of a section are merged by key. */
final class MergedSource implements RowSource, LocatedBatch {

  private final MergeReader merged;
  private final Predicate<InternalRow> wanted;
  private final String directory;
  private final BatchBuilder builder;
  private final DataFile[] files;
  private final long[] positions;
  private ColumnarBatch batch;

  /**
   * @param merged returns {@code columns} first, then whatever merging needs
   * @param wanted asked of each merged row
   * @param directory of the bucket
   */
  MergedSource(
      MergeReader merged,
      RowType columns,
      Predicate<InternalRow> wanted,
      String directory,
      int capacity) {
    this.merged = merged;
    this.wanted = wanted;
    this.directory = directory;
    builder = new BatchBuilder(columns, capacity);
    files = new DataFile[capacity];
    positions = new long[capacity];
  }

  @Override
  public LocatedBatch next() throws IOException {
    builder.reset();
    int rows = 0;
    while (rows < positions.length && merged.next()) {
      if (!RowKind.isRetract(merged.record().kind()) && wanted.test(merged.record().row())) {
        builder.add(merged.record().row());
        files[rows] = merged.file();
        positions[rows++] = merged.position();
      }
    }
    batch = builder.batch();
    return rows == 0 ? null : this;
  }

  @Override
  public ColumnarBatch columns() {
    return batch;
  }

  @Override
  public String file(int row) {
    return files[row].path(directory);
  }

  @Override
  public long position(int row) {
    return positions[row];
  }

  @Override
  public void close() throws IOException {
    builder.close();
    merged.close();
  }
}
