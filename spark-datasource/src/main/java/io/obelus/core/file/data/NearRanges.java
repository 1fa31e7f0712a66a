package io.obelus.core.file.data;

import io.obelus.core.io.SeekableInput;
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

  private record Range(long from, long to) {}

  private final List<Range> wanted = new ArrayList<>();
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

    private Joined with(Range next) {
      return new Joined(from, next.to, isOne && next.from == to);
    }

    int length() {
      return (int) (to - from); // of one with gaps
    }
  }

  /** Adds a range, if there is such a one: damaged bytes may say anything. */
  void add(long from, long length) {
    if (from >= 0 && length > 0 && from + length >= 0) {
      wanted.add(new Range(from, from + length));
    }
  }

  /**
   * Joins ranges with at most so many bytes between them. One that does not begin behind the last
   * is not joined with it.
   */
  NearRanges join(int gap) {
    joined.clear();
    for (Range range : wanted) {
      int end = joined.size() - 1;
      if (end >= 0 && isNear(joined.get(end), range, gap)) {
        joined.set(end, joined.get(end).with(range));
      } else {
        joined.add(new Joined(range.from, range.to, true));
      }
    }
    return this;
  }

  private static boolean isNear(Joined last, Range range, int gap) {
    long between = range.from - last.to;
    return between == 0 && last.isOne
        || between >= 0 && between <= gap && range.to - last.from <= SeekableInput.MOST_AT_ONCE;
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
