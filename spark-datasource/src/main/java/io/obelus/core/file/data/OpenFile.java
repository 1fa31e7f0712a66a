package io.obelus.core.file.data;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.schema.MessageType;

/**
 * A Parquet file open for reading, its footer read. Whatever Parquet throws becomes an error that
 * names the file: trouble of the storage stays the IOException it was, everything else is damage.
 */
final class OpenFile implements Closeable {

  private static final String EXTENSION = ".parquet";

  private final String path;
  private final StorageFiles.Input input;
  private final SparkParquetReader.Pages pages;
  private final Decompressors decompressors;
  private final Map<ColumnChunkMetaData, OffsetIndex> offsetIndexes = new IdentityHashMap<>();
  private final PageCounter counter = new PageCounter();

  /** Some work with the file that Parquet may fail. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /**
   * @param rowCount rows that the file is known to have
   */
  OpenFile(Storage storage, String path, long rowCount) throws IOException {
    if (!path.endsWith(EXTENSION)) {
      throw new IllegalArgumentException(
          path
              + ": only Parquet files can be read, their names end in .parquet; rewrite the table"
              + " with file.format = parquet");
    }
    this.path = path;
    this.decompressors = new Decompressors(storage.configuration());
    this.input = new StorageFiles.Input(storage.open(path));
    try {
      byte[] known = storage.parts().get(path, input.size());
      byte[] footer = known == null ? guarded(input::footer) : known;
      input.end(footer);
      ParquetReadOptions options = HadoopReadOptions.builder(storage.configuration()).build();
      this.pages =
          guarded(() -> new SparkParquetReader.Pages(StorageFiles.input(path, input), options));
      checkRows(rowCount);
      if (known == null) {
        storage.parts().put(path, input.size(), footer);
      }
    } catch (IOException | RuntimeException e) {
      input.close();
      throw e;
    }
  }

  private void checkRows(long expected) {
    long found = 0;
    for (BlockMetaData block : blocks()) {
      found += block.getRowCount();
    }
    if (found != expected) {
      throw new CorruptFileException(Place.startOf(path), "row count", expected, found);
    }
  }

  /** Runs {@code work}; its errors name the file. */
  <T> T guarded(Work<T> work) throws IOException {
    try {
      return work.run();
    } catch (IllegalArgumentException | CorruptFileException e) {
      if (e instanceof CorruptFileException || isOurs(e)) {
        throw e;
      }
      throw damage(e);
    } catch (IOException | RuntimeException e) {
      throw damage(e);
    }
  }

  /** Does work that reads {@code ranges}, in this order: those near each other at once. */
  <T> T near(NearRanges ranges, Work<T> work) throws IOException {
    input.expect(ranges);
    try {
      return work.run();
    } finally {
      input.expect(new NearRanges());
    }
  }

  /** What is read next, in this order: those near each other at once. */
  void expect(NearRanges ranges) {
    input.expect(ranges);
  }

  /** Another walk through the file. */
  FileWindow window() {
    return new FileWindow(path, input);
  }

  /** Usable as long as the file is open. */
  Decompressors.Decompressor decompressor(CompressionCodecName codec) {
    return decompressors.of(codec);
  }

  /**
   * Where the pages of some columns of a row group stand; null for a column of which the writer did
   * not say. Read when first asked for.
   */
  Map<ColumnPath, OffsetIndex> offsetIndexes(BlockMetaData block, MessageType columns)
      throws IOException {
    Map<ColumnPath, OffsetIndex> indexes = new HashMap<>();
    return near(
        NearRanges.ofOffsetIndexes(block, columns),
        () -> {
          for (ColumnChunkMetaData chunk : NearRanges.chunks(block, columns)) {
            indexes.put(chunk.getPath(), offsetIndex(chunk));
          }
          return indexes;
        });
  }

  /** Where the pages of one column stand; null if the writer did not say. */
  OffsetIndex offsetIndex(ColumnChunkMetaData chunk) throws IOException {
    OffsetIndex index = offsetIndexes.get(chunk);
    if (index == null) {
      index = pages.readOffsetIndex(chunk);
      offsetIndexes.put(chunk, index);
    }
    return index;
  }

  private boolean isOurs(RuntimeException e) {
    return e.getMessage() != null && e.getMessage().startsWith(path);
  }

  private RuntimeException damage(Exception found) throws IOException {
    if (input.failure() instanceof IOException trouble) {
      throw trouble;
    } else if (input.failure() instanceof RuntimeException trouble) {
      throw trouble;
    }
    return new CorruptFileException(
        Place.startOf(path), "it cannot be read as Parquet (" + found.getMessage() + ")", found);
  }

  String path() {
    return path;
  }

  SparkParquetReader.Pages pages() {
    return pages;
  }

  MessageType schema() {
    return pages.getFileMetaData().getSchema();
  }

  List<BlockMetaData> blocks() {
    return pages.getRowGroups();
  }

  /** Counts the pages that are read of this file. */
  PageCounter counter() {
    return counter;
  }

  /** Bytes read from the storage so far, footer included. */
  long bytesRead() {
    return input.bytesRead();
  }

  @Override
  public void close() throws IOException {
    decompressors.close();
    pages.close();
  }
}
