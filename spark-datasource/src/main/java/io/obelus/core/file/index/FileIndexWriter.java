package io.obelus.core.file.index;

import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.io.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Makes the indexes of one data file in the pass that writes it (spec chapter 20). Memory is
 * bounded by {@link FileIndexSettings#buildMemory}: where the indexes would take more, the largest
 * is given up. Not thread-safe.
 */
public final class FileIndexWriter implements Closeable {

  /** What the names of index files end in. */
  static final String EXTENSION = ".index";

  private static final Pattern NUMBERED = Pattern.compile("(.*-)([0-9]{1,9})");

  /** Rows between two looks at the memory: at 100 new bytes a row, half a megabyte. */
  private static final int ROWS_BETWEEN_LOOKS = 4096;

  /**
   * What the data file keeps of its indexes: one of both, or neither.
   *
   * @param embedded the container, if it is small; else null
   * @param file name of the file that holds the container, in the data file's directory; else null
   */
  public record Kept(byte[] embedded, String file) {}

  private final Storage storage;
  private final FileIndexSettings settings;
  private String path;
  private final boolean mayBeTaken; // whether a file of that path may be there
  private final List<Column> columns = new ArrayList<>();
  private int rowsUntilLook = ROWS_BETWEEN_LOOKS;
  private boolean isWritten;

  /**
   * @param dataFile path of the data file
   */
  public FileIndexWriter(Storage storage, FileIndexSettings settings, String dataFile) {
    this(storage, settings, dataFile + EXTENSION, false);
  }

  private FileIndexWriter(
      Storage storage, FileIndexSettings settings, String path, boolean mayBeTaken) {
    this.storage = storage;
    this.settings = settings;
    this.path = path;
    this.mayBeTaken = mayBeTaken;
    settings.columns().forEach(column -> columns.add(new Column(column)));
  }

  /**
   * As the constructor, for a data file that has been there before. Its index file gets a new name:
   * older snapshots still refer to the one that it has, and rolled-back ones may have left others.
   *
   * @param indexFile path of the index file that it has; null if none
   */
  public static FileIndexWriter replacing(
      Storage storage, FileIndexSettings settings, String dataFile, String indexFile) {
    String path = indexFile == null ? dataFile + EXTENSION : next(indexFile);
    return new FileIndexWriter(storage, settings, path, true);
  }

  /** The name after this one (spec chapter 20): {@code a.index, a-1.index, a-2.index}. */
  static String next(String indexFile) {
    String stem = indexFile.substring(0, indexFile.length() - EXTENSION.length());
    Matcher numbered = NUMBERED.matcher(stem);
    return numbered.matches()
        ? numbered.group(1) + (Integer.parseInt(numbered.group(2)) + 1) + EXTENSION
        : stem + "-1" + EXTENSION;
  }

  /** Takes the next row of the data file. */
  public void add(InternalRow row) {
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).add(row);
    }
    if (--rowsUntilLook == 0) {
      rowsUntilLook = ROWS_BETWEEN_LOOKS;
      boundMemory();
    }
  }

  private void boundMemory() {
    long used = 0;
    Column largest = null;
    for (Column column : columns) {
      column.memory = column.writer.memory();
      used = used + column.memory < 0 ? Long.MAX_VALUE : used + column.memory;
      if (largest == null || column.memory > largest.memory) {
        largest = column;
      }
    }
    if (used > settings.buildMemory()) {
      columns.remove(largest);
      boundMemory();
    }
  }

  /** Writes the container. */
  public Kept finish() throws IOException {
    boundMemory();
    if (columns.isEmpty()) {
      return new Kept(null, null);
    }
    List<FileIndexFormat.Entry> entries = new ArrayList<>();
    for (Column column : columns) {
      entries.add(
          new FileIndexFormat.Entry(
              column.index.name(), column.index.kind(), column.writer.finish()));
    }
    byte[] container = FileIndexFormat.write(entries);
    if (container.length <= settings.embeddedLimit()) {
      return new Kept(container, null);
    }
    store(container);
    return new Kept(null, path.substring(path.lastIndexOf('/') + 1));
  }

  private void store(byte[] container) throws IOException {
    if (mayBeTaken) {
      while (!storage.createIfAbsent(path, container)) {
        path = next(path);
      }
      isWritten = true;
      return;
    }
    try (OutputStream out = storage.create(path)) {
      isWritten = true;
      out.write(container);
    }
  }

  /** Deletes what was written; for a data file or an index that is given up. */
  @Override
  public void close() throws IOException {
    columns.clear();
    if (isWritten) {
      storage.delete(path);
    }
  }

  /** One index and where its values come from. */
  private static final class Column {
    private final IndexedColumn index;
    private final IndexWriter writer;
    private final UTF8String key;
    private long memory;

    Column(IndexedColumn index) {
      this.index = index;
      this.writer =
          IndexKinds.find(index.kind()).orElseThrow().writer(index.type(), index.options());
      this.key = index.key() == null ? null : UTF8String.fromString(index.key());
    }

    void add(InternalRow row) {
      if (key == null) {
        writer.add(row, index.ordinal());
      } else if (row.isNullAt(index.ordinal())) {
        writer.addNull();
      } else {
        addValueOfKey(row.getMap(index.ordinal()));
      }
    }

    private void addValueOfKey(MapData map) {
      for (int i = 0; i < map.numElements(); i++) {
        if (key.equals(map.keyArray().getUTF8String(i))) {
          writer.add(map.valueArray(), i);
          return;
        }
      }
      writer.addNull();
    }
  }
}
