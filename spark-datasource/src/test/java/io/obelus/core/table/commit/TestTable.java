package io.obelus.core.table.commit;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.schema.Schemas;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * A table whose data files are names without rows, for commits alone: {@code (pt INT, k BIGINT, v
 * STRING)}, by default without partitions and with key k.
 */
final class TestTable {

  static final RowType ROW =
      new RowType(
          List.of(
              new Column(0, "pt", new ColumnType.Scalar(Kind.INT, 0, 0, false)),
              new Column(1, "k", new ColumnType.Scalar(Kind.BIGINT, 0, 0, false)),
              new Column(2, "v", ColumnType.string())));

  private static final String ROOT = "/lake/db.db/t";

  private final Storage storage;
  private final Table table;

  private TestTable(Storage storage, Table table) {
    this.storage = storage;
    this.table = table;
  }

  static TestTable keyed(String... options) throws IOException {
    return create(List.of(), List.of("k"), options(options));
  }

  static TestTable partitioned(String... options) throws IOException {
    return create(List.of("pt"), List.of("pt", "k"), options(options));
  }

  static TestTable append(String... options) throws IOException {
    return create(List.of(), List.of(), options(options));
  }

  private static Map<String, String> options(String... options) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      map.put(options[i], options[i + 1]);
    }
    return map;
  }

  private static TestTable create(
      List<String> partitionKeys, List<String> primaryKeys, Map<String, String> options)
      throws IOException {
    Storage storage = new MemoryStorage();
    TableDirectory directory = new TableDirectory(ROOT);
    Schemas schemas = new Schemas(storage, directory);
    schemas.create(new TableSchema(3, 0, ROW, 2, partitionKeys, primaryKeys, options, null, 0));
    return new TestTable(storage, Table.open(storage, ROOT, "db.t"));
  }

  Table table() {
    return table;
  }

  Storage storage() {
    return storage;
  }

  /** The same table seen through another storage. */
  Table through(Storage other) throws IOException {
    return Table.open(other, ROOT, "db.t");
  }

  Commit commit() throws IOException {
    return commit(latest());
  }

  Commit commit(Snapshot base) {
    return new Commit(table, base, Map.of(), retry -> {});
  }

  Snapshot latest() throws IOException {
    return table.snapshots().latest().orElse(null);
  }

  LiveFiles live() throws IOException {
    return new LiveFiles(table, latest());
  }

  /** Names of the live files as {@code bucket/name}, with {@code @level} above level 0. */
  Set<String> files() throws IOException {
    Set<String> files = new TreeSet<>();
    for (ManifestEntry entry : live().entries(bucket -> true)) {
      String level = entry.file().level() == 0 ? "" : "@" + entry.file().level();
      files.add(entry.bucket().bucket() + "/" + entry.file().name() + level);
    }
    return files;
  }

  /** All files of the table that exist, apart from hints and schemas. */
  Set<String> stored() throws IOException {
    Set<String> stored = new TreeSet<>();
    collect(ROOT, stored);
    stored.removeIf(path -> path.contains("/LATEST") || path.contains("/schema/"));
    return stored;
  }

  private void collect(String directory, Set<String> into) throws IOException {
    for (Storage.Entry entry : storage.list(directory)) {
      String path = directory + "/" + entry.name();
      if (entry.isDirectory()) {
        collect(path, into);
      } else {
        into.add(path);
      }
    }
  }

  static BucketId bucket(int number) {
    return new BucketId(RowBytes.EMPTY, number);
  }

  static BucketId bucket(int partition, int number) {
    return new BucketId(new RowBytes(row(ROW.project(List.of("pt")), partition)), number);
  }

  private static byte[] row(RowType type, Object value) {
    return new BinaryRows(type).write(new GenericInternalRow(new Object[] {value}));
  }

  static DataFile file(String name, int level, long minKey, long maxKey) {
    RowType key = ROW.project(List.of("k"));
    return file(name, level, new RowBytes(row(key, minKey)), new RowBytes(row(key, maxKey)), null);
  }

  static DataFile file(String name) {
    return file(name, 0, RowBytes.EMPTY, RowBytes.EMPTY, null);
  }

  private static DataFile file(
      String name, int level, RowBytes minKey, RowBytes maxKey, RowBytes index) {
    return new DataFile(
        name,
        100,
        10,
        minKey,
        maxKey,
        ColumnStats.NONE,
        ColumnStats.NONE,
        0,
        9,
        0,
        level,
        List.of(name + ".index"),
        null,
        0L,
        index,
        DataFile.SOURCE_APPEND,
        null,
        null,
        null,
        null);
  }

  /** A deletion file that strikes out rows: {@code "data-1:3"} are three of data-1. */
  static DeletionFile deletions(String name, String... bitmaps) {
    List<DeletionFile.Range> ranges = new ArrayList<>();
    for (String bitmap : bitmaps) {
      String[] parts = bitmap.split(":");
      ranges.add(
          new DeletionFile.Range(parts[0], 1 + 50 * ranges.size(), 22, Long.valueOf(parts[1])));
    }
    return new DeletionFile(name, 1 + 50L * ranges.size(), ranges.size(), false, ranges, null);
  }

  /** A delete map that strikes out the first rows of a data file. */
  DeletionFile map(String name, String dataFile, long rows) throws IOException {
    return table
        .deletionFiles()
        .write(
            name,
            DeletionCoding.DELETE_MAP,
            new TreeMap<>(Map.of(dataFile, Positions.range(0, rows))));
  }

  /** A change in the making; its written files come to be, empty, in the table's storage. */
  final class Change {
    private final BucketId bucket;
    private int totalBuckets = table.schema().keyed() ? 8 : -1;
    private final List<DataFile> removed = new ArrayList<>();
    private final List<DataFile> added = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private final List<String> removedDeletions = new ArrayList<>();
    private DeletionFile deletions;
    private boolean logical = true;

    private Change(BucketId bucket) {
      this.bucket = bucket;
    }

    Change writes(DataFile... files) throws IOException {
      String directory =
          table
              .directory()
              .bucket(new PartitionPath(table.schema()).of(bucket.partition()), bucket.bucket());
      for (DataFile file : files) {
        for (String path : file.allPaths(directory)) {
          storage.create(path).close();
          written.add(path);
        }
      }
      added.addAll(List.of(files));
      return this;
    }

    Change removes(DataFile... files) {
      removed.addAll(List.of(files));
      return this;
    }

    Change moves(DataFile file, int level) {
      removed.add(file);
      added.add(file.atLevel(level));
      return this;
    }

    Change deletes(DeletionFile file, String... replaced) throws IOException {
      storage.create(table.directory().index(file.name())).close();
      deletions = file;
      removedDeletions.addAll(List.of(replaced));
      return this;
    }

    /** As {@link #deletes} for a file that has been written. */
    Change maps(DeletionFile file) {
      deletions = file;
      return this;
    }

    Change compacts() {
      logical = false;
      return this;
    }

    Change ofTotal(int buckets) {
      totalBuckets = buckets;
      return this;
    }

    BucketChange done() {
      return new BucketChange(
          bucket,
          totalBuckets,
          removed,
          added,
          written,
          deletions,
          removedDeletions,
          logical,
          new BucketChange.Report(0, 0, 0, 0));
    }
  }

  Change change(BucketId bucket) {
    return new Change(bucket);
  }
}
