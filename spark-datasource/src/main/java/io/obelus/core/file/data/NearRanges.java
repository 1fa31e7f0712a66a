package io.obelus.core.file.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.apache.parquet.schema.MessageType;

/**
 * The byte ranges of a file that are read next. Those near each other become one request: Parquet
 * reads each for itself unless they touch. Not thread-safe.
 */
final class NearRanges {

  /**
   * Bytes that are rather read than skipped. A remote storage takes some ten milliseconds for a
   * request and sends a megabyte in that time; on a local disk so few bytes cost next to nothing.
   */
  static final int GAP = 32 << 10;

  /** The most bytes that are read at once because ranges are near each other. */
  static final int MOST_AT_ONCE = 8 << 20;

  private final List<Joined> joined = new ArrayList<>();
  private int next;

  /**
   * Ranges read at once.
   *
   * @param isOne whether there is no gap in it, so that whoever asks for it asks for all of it
   */
  record Joined(long from, long to, boolean isOne) {

    private boolean holds(long start, long length) {
      return from <= start && start + length <= to;
    }

    private Joined with(long start, long end) {
      return new Joined(from, Math.max(to, end), isOne && start == to);
    }

    int length() {
      return (int) (to - from); // of one with gaps
    }
  }

  /**
   * Adds a range, if there is such a one: damaged bytes may say anything. One that does not begin
   * behind the last is not joined with it.
   */
  void add(long from, long length) {
    if (from < 0 || length <= 0 || from + length < 0) {
      return;
    }
    Joined last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
    if (last != null && isNear(last, from, from + length)) {
      joined.set(joined.size() - 1, last.with(from, from + length));
    } else {
      joined.add(new Joined(from, from + length, true));
    }
  }

  private static boolean isNear(Joined last, long from, long to) {
    long gap = from - last.to;
    return gap == 0 && last.isOne || gap >= 0 && gap <= GAP && to - last.from <= MOST_AT_ONCE;
  }

  /** What should be read instead of some bytes, which are in it; null if just these. */
  Joined around(long from, long length) {
    for (int looked = 0; looked < joined.size(); looked++) {
      Joined one = joined.get(next);
      if (one.holds(from, length)) {
        return one.isOne ? null : one;
      }
      next = (next + 1) % joined.size(); // they are asked for in this order
    }
    return null;
  }

  /** Those of a row group that belong to some columns. */
  static List<ColumnChunkMetaData> chunks(BlockMetaData block, MessageType columns) {
    return block.getColumns().stream()
        .filter(chunk -> columns.containsPath(chunk.getPath().toArray()))
        .toList();
  }

  /** Some columns of a row group, all of their pages. */
  static NearRanges ofChunks(BlockMetaData block, MessageType columns) {
    NearRanges ranges = new NearRanges();
    for (ColumnChunkMetaData chunk : chunks(block, columns)) {
      ranges.add(chunk.getStartingPos(), chunk.getTotalSize());
    }
    return ranges;
  }

  /** Where it says at which rows the pages of some columns begin. */
  static NearRanges ofOffsetIndexes(BlockMetaData block, MessageType columns) {
    NearRanges ranges = new NearRanges();
    for (ColumnChunkMetaData chunk : chunks(block, columns)) {
      ranges.add(chunk.getOffsetIndexReference());
    }
    return ranges;
  }

  /** Where it says what values the pages of some columns hold, and at which rows they begin. */
  static NearRanges ofIndexes(BlockMetaData block, Set<ColumnPath> columns) {
    List<ColumnChunkMetaData> chunks =
        block.getColumns().stream().filter(chunk -> columns.contains(chunk.getPath())).toList();
    NearRanges ranges = new NearRanges();
    chunks.forEach(chunk -> ranges.add(chunk.getColumnIndexReference()));
    chunks.forEach(chunk -> ranges.add(chunk.getOffsetIndexReference()));
    return ranges;
  }

  /**
   * @param index null if the writer kept none
   */
  private void add(IndexReference index) {
    if (index != null) {
      add(index.getOffset(), index.getLength());
    }
  }
}
