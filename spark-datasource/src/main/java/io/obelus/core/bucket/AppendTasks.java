package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileColumns;
import io.obelus.core.file.data.DataFileWriter;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Work on the buckets of an append table: rows have no key, files stay on level 0. */
public record AppendTasks(BucketFiles files, RowType row, AppendSettings settings)
    implements BucketTasks {

  @Override
  public BucketWriter write(BucketState state) {
    return new AppendBucketWriter(state, newFiles(state));
  }

  @Override
  public List<BucketState> parts(BucketState state) {
    return AppendParts.of(state, settings);
  }

  @Override
  public BucketChange compact(BucketState state, boolean full) throws IOException {
    AppendCompaction compaction = new AppendCompaction(this, state);
    return full ? compaction.full() : compaction.minor();
  }

  @Override
  public BucketChange purge(BucketState state, double threshold) throws IOException {
    return new AppendCompaction(this, state).purge(threshold);
  }

  private DataFileWriter newFiles(BucketState state) {
    return files.newFiles(
        state.directory(), new DataFileColumns(row, new int[0]), DataFile.SOURCE_APPEND);
  }

  private static final class AppendBucketWriter implements BucketWriter {
    private final BucketState state;
    private final DataFileWriter writer;
    private final long firstSequence;
    private long rows;

    AppendBucketWriter(BucketState state, DataFileWriter writer) {
      this.state = state;
      this.writer = writer;
      this.firstSequence =
          1 + state.files().stream().mapToLong(DataFile::maxSequence).max().orElse(-1);
    }

    @Override
    public void write(InternalRow row, byte kind) throws IOException {
      if (RowKind.isRetract(kind)) {
        throw new IllegalArgumentException(
            "row kind "
                + RowKind.of(kind).text()
                + " needs a primary key; a table without one can only be appended to");
      }
      writer.append(row, firstSequence + rows);
      rows++;
    }

    @Override
    public void overrule(InternalRow row, byte kind) throws IOException {
      write(row, kind);
    }

    @Override
    public BucketChange finish() throws IOException {
      List<DataFile> written = writer.finish(0);
      return new BucketChange(
          state.id(),
          state.totalBuckets(),
          List.of(),
          written,
          written.stream().flatMap(file -> file.allPaths(state.directory()).stream()).toList(),
          null,
          List.of(),
          true,
          new BucketChange.Report(rows, 0, 0, 0));
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }
}
