package io.obelus.core.table.scan;

import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.PageFigures;
import io.obelus.core.file.data.PositionedBatch;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The live rows of one data file. */
record FileSource(DataFileReader reader, String path) implements RowSource {

  @Override
  public LocatedBatch next() throws IOException {
    PositionedBatch batch = reader.next();
    return batch == null ? null : new InFile(batch, path);
  }

  @Override
  public PageFigures pages() {
    return reader.pages();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private record InFile(PositionedBatch batch, String path) implements LocatedBatch {
    @Override
    public ColumnarBatch columns() {
      return batch.columns();
    }

    @Override
    public String file(int row) {
      return path;
    }

    @Override
    public long position(int row) {
      return batch.position(row);
    }
  }
}
