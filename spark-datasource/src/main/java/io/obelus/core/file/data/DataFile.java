package io.obelus.core.file.data;

import io.obelus.core.row.RowBytes;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the manifests say about one data file (spec chapter 04, DataFileMeta). Immutable.
 *
 * @param name without directory
 * @param size bytes
 * @param rowCount all rows, retracts and deleted ones included
 * @param minKey trimmed primary key of the first row; arity 0 in an append file
 * @param maxKey of the last row
 * @param keyStats over the trimmed key columns
 * @param valueStats over {@code valueStatsColumns}
 * @param minSequence smallest sequence number
 * @param maxSequence largest sequence number
 * @param schemaId schema the file was written with
 * @param level 0 = fresh and overlapping
 * @param extraFiles companions in the same directory
 * @param creationTime local wall clock of the writer, read as if it were UTC, in milliseconds; null
 *     if unknown
 * @param deleteRowCount rows that are retracts; null if unknown
 * @param embeddedIndex file index content; null if none
 * @param source 0 = written by a write, 1 = by a compaction, null if unknown
 * @param valueStatsColumns null = all value columns of the file's schema
 * @param externalPath full path if the file is not in its bucket's directory; else null
 * @param firstRowId row tracking; null if none
 * @param writeColumns data evolution; null if none
 */
public record DataFile(
    String name,
    long size,
    long rowCount,
    RowBytes minKey,
    RowBytes maxKey,
    ColumnStats keyStats,
    ColumnStats valueStats,
    long minSequence,
    long maxSequence,
    long schemaId,
    int level,
    List<String> extraFiles,
    Long creationTime,
    Long deleteRowCount,
    RowBytes embeddedIndex,
    Integer source,
    List<String> valueStatsColumns,
    String externalPath,
    Long firstRowId,
    List<String> writeColumns)
    implements Serializable {

  public static final int SOURCE_APPEND = 0;
  public static final int SOURCE_COMPACT = 1;

  public DataFile {
    Objects.requireNonNull(name, "name");
    extraFiles = List.copyOf(extraFiles);
    valueStatsColumns = valueStatsColumns == null ? null : List.copyOf(valueStatsColumns);
    writeColumns = writeColumns == null ? null : List.copyOf(writeColumns);
  }

  /** The same file on another level. */
  public DataFile atLevel(int other) {
    return new DataFile(
        name,
        size,
        rowCount,
        minKey,
        maxKey,
        keyStats,
        valueStats,
        minSequence,
        maxSequence,
        schemaId,
        other,
        extraFiles,
        creationTime,
        deleteRowCount,
        embeddedIndex,
        source,
        valueStatsColumns,
        externalPath,
        firstRowId,
        writeColumns);
  }

  /** The same file with another index and other companions. */
  public DataFile withIndex(RowBytes otherEmbedded, List<String> otherExtraFiles) {
    return new DataFile(
        name,
        size,
        rowCount,
        minKey,
        maxKey,
        keyStats,
        valueStats,
        minSequence,
        maxSequence,
        schemaId,
        level,
        otherExtraFiles,
        creationTime,
        deleteRowCount,
        otherEmbedded,
        source,
        valueStatsColumns,
        externalPath,
        firstRowId,
        writeColumns);
  }

  /** Where the file is, given the directory of its bucket. */
  public String path(String bucketDirectory) {
    return externalPath != null ? externalPath : bucketDirectory + "/" + name;
  }

  /** Where the file and its companions are, given the directory of its bucket. */
  public List<String> allPaths(String bucketDirectory) {
    List<String> paths = new ArrayList<>();
    paths.add(path(bucketDirectory));
    extraFiles.forEach(name -> paths.add(companion(bucketDirectory, name)));
    return paths;
  }

  /** Where one of {@link #extraFiles} is: beside the file. */
  public String companion(String bucketDirectory, String name) {
    String path = path(bucketDirectory);
    return path.substring(0, path.lastIndexOf('/') + 1) + name;
  }

  /** Whether it may hold rows that take back others; unknown counts as yes. */
  public boolean mayHoldRetracts() {
    return deleteRowCount == null || deleteRowCount > 0;
  }
}
