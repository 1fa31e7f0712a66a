package io.obelus.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.merge.Deduplicate;
import io.obelus.core.bucket.merge.KeyedRecord;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.DataFileSettings;
import io.obelus.core.file.data.DataFileWriter;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.data.FileSchemas;
import io.obelus.core.file.data.PositionedBatch;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.file.deletion.DeletionFiles;
import io.obelus.core.file.index.FileIndexSettings;
import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * One bucket of a table {@code (k INT, s BIGINT, v STRING)} with key k, changed by {@link
 * BucketTasks} as a commit would change it, and read back.
 */
final class TestBucket {

  static final RowType ROW =
      new RowType(
          List.of(
              new Column(0, "k", new ColumnType.Scalar(Kind.INT, 0, 0, false)),
              new Column(1, "s", new ColumnType.Scalar(Kind.BIGINT)),
              new Column(2, "v", ColumnType.string())));

  /** A row of the table with what it does to its key. */
  record Change(int key, Long sequence, String value, RowKind kind) {
    InternalRow row() {
      return new GenericInternalRow(
          new Object[] {key, sequence, value == null ? null : UTF8String.fromString(value)});
    }
  }

  /** Schema 0 has no deletion bitmaps, all later ones have. */
  private static final class TwoSchemas implements FileSchemas {
    private static final long serialVersionUID = 1;

    @Override
    public RowType rowType(long schemaId) {
      return ROW;
    }

    @Override
    public boolean deletionBitmaps(long schemaId) {
      return schemaId > 0;
    }
  }

  private final Storage storage = new HadoopStorage(new Configuration());
  private final String directory;
  private final boolean bySequence;
  private final CompactionSettings settings;
  private final DataFileSettings fileSettings;
  private DeletionCoding coding;
  private BucketState state;

  TestBucket(
      Path directory, DeletionCoding coding, boolean bySequence, CompactionSettings settings) {
    this.directory = directory.toString();
    this.bySequence = bySequence;
    this.settings = settings;
    this.coding = coding;
    fileSettings =
        new DataFileSettings(
            "data-",
            settings.targetFileSize(),
            "uncompressed",
            8 << 20,
            true,
            new DataFileSettings.StatsSettings("truncate(16)", Map.of(), true, -1),
            Map.of());
    state =
        new BucketState(new BucketId(RowBytes.EMPTY, 0), this.directory, 1, List.of(), List.of());
  }

  BucketState state() {
    return state;
  }

  /** From now on the table has deletion bitmaps: a new schema. */
  void switchBitmapsOn(DeletionCoding newCoding) {
    coding = newCoding;
  }

  BucketTasks tasks() {
    return new KeyedTasks(keyed(), settings, false);
  }

  /** Writes changes that are in key order. */
  BucketChange write(Collection<Change> changes) throws IOException {
    try (BucketWriter writer = tasks().write(state)) {
      for (Change change : changes) {
        writer.write(change.row(), change.kind().code());
      }
      return apply(writer.finish());
    }
  }

  /** Writes a change that was made from the stored row. */
  void overrule(Change change) throws IOException {
    try (BucketWriter writer = tasks().write(state)) {
      writer.overrule(change.row(), change.kind().code());
      apply(writer.finish());
    }
  }

  BucketChange compact(boolean full) throws IOException {
    return apply(tasks().compact(state, full));
  }

  BucketChange purge(double threshold) throws IOException {
    return apply(tasks().purge(state, threshold));
  }

  /** What another engine does that does not compact: a level-0 file, one record for each key. */
  void writeLevelZero(Collection<Change> changes) throws IOException {
    writeLevelZero(changes, nextSequence());
  }

  /** The sequence number that a writer starts with who sees the bucket as it is. */
  long nextSequence() {
    return 1 + state.files().stream().mapToLong(DataFile::maxSequence).max().orElse(-1);
  }

  /** As the other form, for a writer who began when the bucket had fewer rows. */
  void writeLevelZero(Collection<Change> changes, long firstSequence) throws IOException {
    long sequence = firstSequence;
    try (DataFileWriter writer = keyed().newFiles(state, DataFile.SOURCE_APPEND)) {
      for (Change change : changes) {
        writer.write(change.row(), sequence++, change.kind().code());
      }
      List<DataFile> files = new ArrayList<>(state.files());
      files.addAll(writer.finish(0));
      state = with(files, state.deletions());
    }
  }

  /** The rows of the bucket as a scan finds them; fails if a key is there twice. */
  TreeMap<Integer, String> rows() throws IOException {
    TreeMap<Integer, String> rows = new TreeMap<>();
    KeyedBucket keyed = keyed();
    Map<String, Positions> bitmaps = bitmaps();
    for (Section section : keyed.sortedRuns().sections(state.files())) {
      if (keyed.mustMerge(section)) {
        readMerged(keyed, section, bitmaps, rows);
      } else {
        for (DataFile file : section.files()) {
          readPlain(keyed, file, bitmaps, rows);
        }
      }
    }
    return rows;
  }

  /** Files on levels 1 and up must not overlap, and a bitmap must belong to a file. */
  void check() throws IOException {
    SortedRuns sortedRuns = keyed().sortedRuns();
    for (SortedRun run : sortedRuns.of(state.files())) {
      assertThat(sortedRuns.sectionsOf(List.of(run)))
          .as("level %d does not overlap", run.level())
          .hasSameSizeAs(run.files());
    }
    assertThat(state.files()).extracting(DataFile::name).containsAll(bitmaps().keySet());
  }

  private KeyedBucket keyed() {
    BucketFiles files =
        new BucketFiles(
            new DataFiles(storage, DataFiles.BatchSettings.DEFAULT),
            new DeletionFiles(storage, directory + "/index"),
            new TwoSchemas(),
            coding == null ? 0 : 1,
            fileSettings,
            FileIndexSettings.NONE,
            coding);
    int[] sequence = bySequence ? new int[] {1} : new int[0];
    return new KeyedBucket(
        files, new RowShape(ROW, new int[] {0}, sequence, false), new Deduplicate());
  }

  private BucketChange apply(BucketChange change) {
    List<DataFile> files = new ArrayList<>(state.files());
    assertThat(files).containsAll(change.removed());
    files.removeAll(change.removed());
    files.addAll(change.added());
    state =
        with(files, change.deletions() == null ? state.deletions() : List.of(change.deletions()));
    return change;
  }

  private BucketState with(List<DataFile> files, List<DeletionFile> deletions) {
    return new BucketState(state.id(), directory, 1, files, deletions);
  }

  private Map<String, Positions> bitmaps() throws IOException {
    Map<String, Positions> bitmaps = new HashMap<>();
    for (DeletionFile file : state.deletions()) {
      bitmaps.putAll(new DeletionFiles(storage, directory + "/index").read(file));
    }
    return bitmaps;
  }

  private void readMerged(
      KeyedBucket keyed,
      Section section,
      Map<String, Positions> bitmaps,
      TreeMap<Integer, String> rows)
      throws IOException {
    try (MergeReader merged =
        keyed.merge(ROW, section, keyed.opener(state, f -> live(f, bitmaps)))) {
      while (merged.next()) {
        KeyedRecord record = merged.record();
        if (!RowKind.isRetract(record.kind())) {
          put(rows, record.row());
        }
      }
    }
  }

  private void readPlain(
      KeyedBucket keyed,
      DataFile file,
      Map<String, Positions> bitmaps,
      TreeMap<Integer, String> rows)
      throws IOException {
    try (DataFileReader reader =
        keyed
            .files()
            .dataFiles()
            .open(keyed.files().request(state, file, ROW, live(file, bitmaps), Predicate.ALWAYS))) {
      for (PositionedBatch batch = reader.next(); batch != null; batch = reader.next()) {
        for (int i = 0; i < batch.columns().numRows(); i++) {
          put(rows, batch.columns().getRow(i));
        }
      }
    }
  }

  private static RowSelection live(DataFile file, Map<String, Positions> bitmaps) {
    RowSelection all = RowSelection.all(file.rowCount());
    Positions deleted = bitmaps.get(file.name());
    return deleted == null ? all : all.without(deleted);
  }

  private static void put(TreeMap<Integer, String> rows, InternalRow row) {
    String value = row.isNullAt(2) ? null : row.getUTF8String(2).toString();
    assertThat(rows).as("live rows of one key").doesNotContainKey(row.getInt(0));
    rows.put(row.getInt(0), value);
  }
}
