package io.obelus.core.bucket;

import io.obelus.core.file.data.Companion;
import io.obelus.core.file.index.FileIndexSettings;
import io.obelus.core.file.index.FileIndexWriter;
import io.obelus.core.io.Storage;
import io.obelus.core.row.RowBytes;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** The file index of a data file, filled in the pass that writes the file. */
record IndexCompanion(FileIndexWriter index) implements Companion {

  static Companion.Factory factory(Storage storage, FileIndexSettings settings) {
    return settings.isEmpty()
        ? Companion.Factory.NONE
        : path -> new IndexCompanion(new FileIndexWriter(storage, settings, path));
  }

  @Override
  public void add(InternalRow row) {
    index.add(row);
  }

  @Override
  public Kept finish() throws IOException {
    FileIndexWriter.Kept kept = index.finish();
    return new Kept(
        kept.embedded() == null ? null : new RowBytes(kept.embedded()),
        kept.file() == null ? List.of() : List.of(kept.file()));
  }

  @Override
  public void close() throws IOException {
    index.close();
  }
}
