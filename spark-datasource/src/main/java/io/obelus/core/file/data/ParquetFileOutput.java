package io.obelus.core.file.data;

import io.obelus.core.io.Storage;
import io.obelus.core.row.Column;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.schema.MessageType;

/**
 * One Parquet file being written: cuts row groups by size. The caller shreds rows with {@link
 * #shredders} and says when each is complete. Memory: one row group of encoded pages.
 */
final class ParquetFileOutput implements Closeable {

  /** Most rows between two looks at the size of the row group. */
  private static final long MOST_ROWS_UNSEEN = 1000;

  private static final long FIRST_LOOK = 10;

  private final List<Column> columns;
  private final MessageType schema;
  private final ParquetProperties properties;
  private final CodecFactory.BytesCompressor compressor;
  private final long rowGroupSize;
  private final StorageFiles.Output out;
  private final ParquetFileWriter file;
  private final Shredder[] shredders;

  private ColumnChunkPageWriteStore pages;
  private ColumnWriteStore encoders;
  private long rowsInGroup;
  private long nextLook;
  private boolean open = true;

  /**
   * @param columns all columns of the file, system columns included
   * @param compressor released by its owner
   */
  ParquetFileOutput(
      Storage storage,
      String path,
      List<Column> columns,
      ParquetProperties properties,
      CodecFactory.BytesCompressor compressor,
      long rowGroupSize)
      throws IOException {
    this.columns = columns;
    this.schema = ParquetSchemas.message(columns);
    this.properties = properties;
    this.compressor = compressor;
    this.rowGroupSize = rowGroupSize;
    this.shredders = new Shredder[columns.size()];
    this.out = new StorageFiles.Output(storage.create(path));
    this.file =
        new ParquetFileWriter(
            StorageFiles.output(path, out),
            schema,
            ParquetFileWriter.Mode.CREATE,
            rowGroupSize,
            0,
            properties.getColumnIndexTruncateLength(),
            properties.getStatisticsTruncateLength(),
            properties.getPageWriteChecksumEnabled());
    file.start();
    beginRowGroup();
  }

  /** One shredder per column; others after each row. */
  Shredder[] shredders() {
    return shredders;
  }

  /** Says that every column has its value of the current row. */
  void endRow() throws IOException {
    encoders.endRecord();
    rowsInGroup++;
    if (rowsInGroup >= nextLook) {
      look();
    }
  }

  /** Bytes of the file if it were closed now, roughly. */
  long size() {
    return out.getPos() + encoders.getBufferedSize();
  }

  /** Writes what is left; the row groups as the footer has them. */
  List<BlockMetaData> finish() throws IOException {
    endRowGroup();
    file.end(Map.of());
    open = false;
    return file.getFooter().getBlocks();
  }

  /** Bytes written, after {@link #finish}. */
  long bytesWritten() {
    return out.getPos();
  }

  private void look() throws IOException {
    long size = encoders.getBufferedSize();
    if (size >= rowGroupSize) {
      endRowGroup();
      beginRowGroup();
      return;
    }
    long rowsLeft = (long) ((rowGroupSize - size) / (size / (double) rowsInGroup));
    nextLook = rowsInGroup + Math.max(1, Math.min(rowsLeft / 2, MOST_ROWS_UNSEEN));
  }

  private void beginRowGroup() {
    pages =
        new ColumnChunkPageWriteStore(
            compressor,
            schema,
            properties.getAllocator(),
            properties.getColumnIndexTruncateLength(),
            properties.getPageWriteChecksumEnabled());
    encoders = properties.newColumnWriteStore(schema, pages, pages);
    List<ColumnWriter> leaves = new ArrayList<>();
    for (ColumnDescriptor leaf : schema.getColumns()) {
      leaves.add(encoders.getColumnWriter(leaf));
    }
    Iterator<ColumnWriter> next = leaves.iterator();
    for (int i = 0; i < shredders.length; i++) {
      Column column = columns.get(i);
      shredders[i] = Shredder.of(column.type(), column.name(), 0, next);
    }
    rowsInGroup = 0;
    nextLook = FIRST_LOOK;
  }

  private void endRowGroup() throws IOException {
    if (rowsInGroup == 0) {
      return;
    }
    file.startBlock(rowsInGroup);
    encoders.flush();
    pages.flushToFileWriter(file);
    file.endBlock();
    encoders.close();
  }

  @Override
  public void close() throws IOException {
    if (open) {
      open = false;
      encoders.close();
      out.close();
    }
  }
}
