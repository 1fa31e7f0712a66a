package io.obelus.core.file.data;

import io.obelus.core.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Writes rows into one data file after another, each of about the target size, and collects what
 * the manifests keep of them. Memory: one row group of encoded pages. Not thread-safe.
 */
public final class DataFileWriter implements Closeable {

  /**
   * @param bucketDirectory where the files go; their names begin with the settings' prefix and are
   *     fresh
   * @param schemaId id of the schema whose columns {@code columns} has
   * @param source {@link DataFile#SOURCE_APPEND} or {@link DataFile#SOURCE_COMPACT}
   */
  public DataFileWriter(
      Storage storage,
      String bucketDirectory,
      DataFileColumns columns,
      long schemaId,
      int source,
      DataFileSettings settings) {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Adds a row of a keyed table: rows must come in key order. The row may be reused by the caller.
   *
   * @param row all columns of the table
   * @param kind code of a {@link io.obelus.core.row.RowKind}
   */
  public void write(InternalRow row, long sequence, byte kind) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Adds a row of an append table; sequence numbers count the rows from {@code firstSequence} on.
   */
  public void append(InternalRow row) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Closes the last file and describes all of them, at level {@code level}; none if no row was
   * written.
   */
  public List<DataFile> finish(int level) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** Closes and deletes whatever was written, if {@link #finish} was not called. */
  @Override
  public void close() throws IOException {}
}
