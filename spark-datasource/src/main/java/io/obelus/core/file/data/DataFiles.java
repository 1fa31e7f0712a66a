package io.obelus.core.file.data;

import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.Storage;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.io.Serializable;

/** Opens data files of a table for reading. Thread-safe. */
public record DataFiles(Storage storage, BatchSettings batches) implements Serializable {

  /**
   * @param capacity most rows of a batch
   * @param offHeap whether vectors lie outside the heap
   */
  public record BatchSettings(int capacity, boolean offHeap) implements Serializable {
    public static final BatchSettings DEFAULT = new BatchSettings(4096, false);
  }

  /**
   * What to read from one file.
   *
   * @param path of the file
   * @param fileColumns columns that the file was written with: the table's at the file's schema;
   *     the reader also knows {@link DataFileColumns#SEQUENCE}, {@link DataFileColumns#KIND} and
   *     the {@linkplain DataFileColumns#repeated repeated} key columns
   * @param columns what to return, matched to {@code fileColumns} by field id; one that the file
   *     lacks is null, a narrower type is widened
   * @param rows positions to return
   * @param from first position of the range of the file to read
   * @param to end of that range: row groups that begin in {@code [from, to)} are read
   * @param condition rows that do not fulfil it may be left out: row groups, pages, single rows
   * @param filtered whether all of them are left out; else they may still be returned
   */
  public record Request(
      String path,
      RowType fileColumns,
      RowType columns,
      RowSelection rows,
      long from,
      long to,
      Predicate condition,
      boolean filtered) {

    /** The whole file. */
    public Request(
        String path, RowType fileColumns, RowType columns, RowSelection rows, Predicate condition) {
      this(path, fileColumns, columns, rows, 0, rows.rowCount(), condition, false);
    }

    /** Whether a row group that begins at this position is to be read. */
    boolean isInRange(long position) {
      return position >= from && position < to;
    }
  }

  /**
   * Whether reading a file is faster with {@code rows} than with all its rows, where rows too many
   * may be returned.
   */
  public static boolean pays(RowSelection rows) {
    return RowGroupPlan.pays(rows);
  }

  /**
   * Starts to read; the caller closes the reader.
   *
   * @throws java.io.FileNotFoundException if there is no such file
   * @throws io.obelus.core.io.CorruptFileException if it is damaged, or has another number of rows
   *     than the selection is for
   * @throws IllegalArgumentException if it is not a Parquet file, or a column asked for cannot be
   *     made of the one in the file
   */
  public DataFileReader open(Request request) throws IOException {
    OpenFile file = new OpenFile(storage, request.path(), request.rows().rowCount());
    try {
      return file.guarded(() -> new SelectedRows(file, request, batches));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Starts to read a file that is sorted by its key, a few pages at a time: the caller asks for
   * keys in ascending order and pages (row groups) between them are skipped. The request's
   * condition is not looked at. Throws as {@link #open} does.
   *
   * @param key where the key is among the columns asked for, in the order of the key
   */
  public SortedFileCursor openSorted(Request request, int[] key) throws IOException {
    OpenFile file = new OpenFile(storage, request.path(), request.rows().rowCount());
    try {
      return file.guarded(() -> new SortedRows(file, request, key, batches));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }
}
