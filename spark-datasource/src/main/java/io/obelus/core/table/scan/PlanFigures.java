package io.obelus.core.table.scan;

import io.obelus.core.file.data.DataFile;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How much of a table a plan reads, and what ruled out the rest, for metrics and for people. Rows
 * are rows as stored, struck-out ones included, unless it says live.
 */
public final class PlanFigures {

  /** What rules out files, in the order in which a plan asks; each is asked about what is left. */
  public enum Step {
    /** The values of their partition do not fulfil the condition. */
    PARTITION("partition"),
    /** Rows that fulfil the condition are in other buckets. */
    BUCKET("bucket"),
    /** Option {@code scan.level-0} or a read-optimized table leaves their level out. */
    LEVEL("level"),
    /** All their rows are struck out. */
    DELETION_BITMAPS("deletion bitmaps"),
    /** Statistics of key columns. */
    KEY_STATISTICS("key statistics"),
    /** Statistics of all columns. */
    VALUE_STATISTICS("value statistics"),
    /** Indexes that are small enough to be kept in the manifest. */
    EMBEDDED_INDEXES("embedded indexes");

    private final String text;

    Step(String text) {
      this.text = text;
    }

    /** As people call it. */
    @Override
    public String toString() {
      return text;
    }
  }

  /** So many data files with so many rows together. */
  public record Amount(long files, long rows) {

    private static final Amount NONE = new Amount(0, 0);

    private static Amount of(List<DataFile> files) {
      return new Amount(files.size(), files.stream().mapToLong(DataFile::rowCount).sum());
    }

    private Amount plus(Amount more) {
      return new Amount(files + more.files, rows + more.rows);
    }

    private Amount minus(Amount less) {
      return new Amount(files - less.files, rows - less.rows);
    }
  }

  private final Map<Step, Amount> leftOut = new EnumMap<>(Step.class);
  private Amount read = Amount.NONE;
  private long bitmaps;
  private long rowsStruckOut;
  private long bytes;

  PlanFigures() {}

  /** Counts files that a step ruled out. */
  void leaveOut(Step step, List<DataFile> files) {
    leaveOut(step, Amount.of(files));
  }

  private void leaveOut(Step step, Amount amount) {
    leftOut.merge(step, amount, Amount::plus);
  }

  /**
   * Counts as ruled out what is not yet counted of the whole snapshot.
   *
   * @param rows of the snapshot; null if they were not counted when it was made
   */
  void leaveOutRest(Step step, long files, Long rows) {
    Amount counted = stored();
    long rest = rows == null ? 0 : rows - counted.rows;
    leaveOut(step, new Amount(Math.max(0, files - counted.files), Math.max(0, rest)));
  }

  /**
   * Counts a file that is read.
   *
   * @param struckOut rows of it that its bitmap strikes out
   */
  void read(DataFile file, long struckOut) {
    read = read.plus(new Amount(1, file.rowCount()));
    bitmaps += struckOut > 0 ? 1 : 0;
    rowsStruckOut += struckOut;
    bytes += file.size();
  }

  /**
   * All that the snapshot has. A snapshot of an old writer may not tell the rows of partitions that
   * are left out; then they are not counted.
   */
  public Amount stored() {
    return leftOut.values().stream().reduce(read, Amount::plus);
  }

  /** What a step and those before it left. */
  public Amount after(Step step) {
    return leftOut.entrySet().stream()
        .filter(entry -> entry.getKey().compareTo(step) <= 0)
        .map(Map.Entry::getValue)
        .reduce(stored(), Amount::minus);
  }

  /** What a step ruled out of that which those before it had left. */
  public Amount leftOut(Step step) {
    return leftOut.getOrDefault(step, Amount.NONE);
  }

  /** Data files that are read. */
  public long files() {
    return read.files;
  }

  /** Data files that are not read. */
  public long filesSkipped() {
    return stored().files - read.files;
  }

  /** Of the files read, how many have a deletion bitmap. */
  public long bitmaps() {
    return bitmaps;
  }

  /** Rows of the files read that their bitmaps strike out. */
  public long rowsStruckOut() {
    return rowsStruckOut;
  }

  /** Live rows of the files read; an upper bound where files must be merged. */
  public long rows() {
    return read.rows - rowsStruckOut;
  }

  /** Of the files read. */
  public long bytes() {
    return bytes;
  }
}
