package io.obelus.testing;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.BucketTasks;
import io.obelus.core.bucket.BucketWriter;
import io.obelus.core.catalog.FileSystemCatalog;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.maintenance.Compaction;
import io.obelus.core.table.maintenance.StruckRows;
import io.obelus.core.table.maintenance.TableTasks;
import io.obelus.core.table.scan.MetadataColumns;
import io.obelus.core.table.scan.ScanFilter;
import io.obelus.core.table.scan.ScanPlan;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.scan.Split;
import io.obelus.core.table.scan.SplitReader;
import io.obelus.core.table.schema.NewTable;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.schema.Schemas;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.PaimonTable.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * One table as our own core sees it, without Spark: what a job does, all of it in this process.
 * Every write is one commit. Values are plain Java ones, as {@link PlainValues} makes them.
 */
public final class CoreTable {

  private final Table table;

  private CoreTable(Table table) {
    this.table = table;
  }

  /**
   * Makes a table.
   *
   * @param directory where no table is
   * @param columns as in SQL, such as {@code "k BIGINT NOT NULL"}
   */
  public static CoreTable create(
      Path directory,
      List<String> columns,
      List<String> partitionKeys,
      List<String> primaryKey,
      Map<String, String> options)
      throws IOException {
    return create(directory, PaimonTables.columns(columns), partitionKeys, primaryKey, options);
  }

  /** As the other form, for columns of any type. */
  public static CoreTable create(
      Path directory,
      RowType columns,
      List<String> partitionKeys,
      List<String> primaryKey,
      Map<String, String> options)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>(options);
    if (!primaryKey.isEmpty()) {
      all.put("primary-key", String.join(",", primaryKey));
    }
    NewTable wanted = new NewTable(columns, partitionKeys, all, null);
    FileSystemCatalog catalog =
        new FileSystemCatalog(disk(), directory.toAbsolutePath().getParent().toString());
    return new CoreTable(
        catalog.createAt(
            directory.toAbsolutePath().toString(), directory.getFileName().toString(), wanted));
  }

  /** The table in a directory, whoever made it, at its newest schema. */
  public static CoreTable open(Path directory) throws IOException {
    return new CoreTable(
        Table.open(
            disk(), directory.toAbsolutePath().toString(), directory.getFileName().toString()));
  }

  private static Storage disk() {
    return new HadoopStorage(new Configuration());
  }

  /** The table itself, for what has no method here. */
  public Table table() {
    return table;
  }

  /** The same table with an option set for what follows, such as {@code write-only}. */
  public CoreTable with(String option, String value) {
    TableSchema schema = table.schema();
    Map<String, String> options = new LinkedHashMap<>(schema.options());
    options.put(option, value);
    TableSchema other =
        new TableSchema(
            schema.version(),
            schema.id(),
            schema.rowType(),
            schema.highestFieldId(),
            schema.partitionKeys(),
            schema.primaryKeys(),
            options,
            schema.comment(),
            schema.timeMillis());
    return new CoreTable(
        new Table(table.name(), table.storage(), table.directory(), other, table.schemas()));
  }

  /** A branch of the table, at the branch's newest schema. */
  public CoreTable onBranch(String name) throws IOException {
    return new CoreTable(table.onBranch(name));
  }

  /** The same table on another storage, such as one that fails, for what follows. */
  public CoreTable on(Storage other) {
    return new CoreTable(
        new Table(
            table.name(),
            other,
            table.directory(),
            table.schema(),
            new Schemas(other, table.directory())));
  }

  /** Writes rows in one commit. */
  public Optional<Snapshot> write(Row... rows) throws IOException {
    return write(List.of(rows));
  }

  /** Writes rows in one commit. */
  public Optional<Snapshot> write(List<Row> rows) throws IOException {
    return write(rows, BucketWriter::write);
  }

  /** As {@link #write(List)}, for rows made from stored ones: they win over any sequence field. */
  public Optional<Snapshot> overrule(List<Row> rows) throws IOException {
    return write(rows, BucketWriter::overrule);
  }

  @FunctionalInterface
  private interface Way {
    void write(BucketWriter writer, InternalRow row, byte kind) throws IOException;
  }

  private record KindedRow(InternalRow row, byte kind) {}

  /** A write that is done but not committed yet. */
  public static final class Pending {
    private final Commit commit;
    private final List<BucketChange> changes;

    private Pending(Commit commit, List<BucketChange> changes) {
      this.commit = commit;
      this.changes = changes;
    }

    /** Commits; CommitConflictException if others changed one of the same buckets meanwhile. */
    public Optional<Snapshot> commit() throws IOException {
      return commit.commit(changes);
    }
  }

  /** As {@link #write(List)}, up to the commit. */
  public Pending prepare(List<Row> rows) throws IOException {
    return prepare(rows, BucketWriter::write);
  }

  private Optional<Snapshot> write(List<Row> rows, Way way) throws IOException {
    return prepare(rows, way).commit();
  }

  private Pending prepare(List<Row> rows, Way way) throws IOException {
    Snapshot base = table.snapshots().latest().orElse(null);
    BucketTasks tasks = TableTasks.of(table);
    List<BucketChange> changes = new ArrayList<>();
    for (Map.Entry<BucketId, List<KindedRow>> bucket : byBucket(rows).entrySet()) {
      try (BucketWriter writer = tasks.write(state(base, bucket.getKey()))) {
        for (KindedRow row : bucket.getValue()) {
          way.write(writer, row.row(), row.kind());
        }
        changes.add(writer.finish());
      }
    }
    return new Pending(new Commit(table, base), changes);
  }

  /**
   * Strikes out the rows of a table without a key that fulfil a condition, and adds others; one
   * commit.
   */
  public Optional<Snapshot> change(
      java.util.function.Predicate<List<Object>> condition, List<Row> added) throws IOException {
    return prepareChange(condition, added).commit();
  }

  /** As {@link #change}, up to the commit. */
  public Pending prepareChange(
      java.util.function.Predicate<List<Object>> condition, List<Row> added) throws IOException {
    Snapshot base = table.snapshots().latest().orElse(null);
    StruckRows struckOut = new StruckRows();
    places(
        condition,
        (file, position) -> struckOut.add(UTF8String.fromString(file), position, !added.isEmpty()));
    Pending pending = prepare(added);
    pending.changes.addAll(struckOut.changes(table, base));
    return pending;
  }

  /** Where the rows are that fulfil a condition: paths of data files, and positions in them. */
  public void places(
      java.util.function.Predicate<List<Object>> condition, BiConsumer<String, Long> places)
      throws IOException {
    Snapshot latest = table.snapshots().latest().orElse(null);
    RowType own = table.schema().rowType();
    List<Column> columns = new ArrayList<>(own.columns());
    columns.add(MetadataColumns.FILE);
    columns.add(MetadataColumns.POSITION);
    read(
        table,
        new RowType(columns),
        ScanFilter.of(Predicate.ALWAYS),
        ScanPlan.of(table, latest, Predicate.ALWAYS, LevelZero.MERGE).splits(),
        DataFiles.BatchSettings.DEFAULT,
        row -> {
          if (condition.test(row.subList(0, own.size()))) {
            places.accept((String) row.get(own.size()), (Long) row.get(own.size() + 1));
          }
        });
  }

  /** The rows of each bucket, in key order; rows of one key stay in the order given. */
  private Map<BucketId, List<KindedRow>> byBucket(List<Row> rows) {
    TableSchema schema = table.schema();
    RowType type = schema.rowType();
    Map<BucketId, List<KindedRow>> buckets = new LinkedHashMap<>();
    for (Row row : rows) {
      InternalRow internal = PlainValues.row(Arrays.asList(row.values()), type);
      buckets
          .computeIfAbsent(bucket(internal), id -> new ArrayList<>())
          .add(new KindedRow(internal, row.kind().toByteValue()));
    }
    if (schema.keyed()) {
      RowComparator byKey = RowComparator.of(type, type.indexesOf(schema.trimmedPrimaryKeys()));
      buckets.values().forEach(list -> list.sort((a, b) -> byKey.compare(a.row(), b.row())));
    }
    return buckets;
  }

  private BucketId bucket(InternalRow row) {
    TableSchema schema = table.schema();
    TableOptions options = table.options();
    RowType type = schema.rowType();
    int bucket =
        options.bucket() < 0
            ? 0
            : new BucketFunction(
                    options.bucketFunction(),
                    type,
                    type.indexesOf(options.bucketKeys()),
                    options.bucket())
                .bucket(row);
    return new BucketId(partition(row), bucket);
  }

  private RowBytes partition(InternalRow row) {
    RowType partition = table.schema().partitionType();
    if (partition.size() == 0) {
      return RowBytes.EMPTY;
    }
    int[] columns = table.schema().rowType().indexesOf(table.schema().partitionKeys());
    Object[] values = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      values[i] = ((GenericInternalRow) row).genericGet(columns[i]);
    }
    return new RowBytes(new BinaryRows(partition).write(new GenericInternalRow(values)));
  }

  private BucketState state(Snapshot base, BucketId id) throws IOException {
    List<BucketState> states = new LiveFiles(table, base).buckets(id::equals);
    if (!states.isEmpty()) {
      return states.get(0);
    }
    String partition = new PartitionPath(table.schema()).of(id.partition());
    return new BucketState(
        id,
        table.directory().bucket(partition, id.bucket()),
        Math.max(-1, table.options().bucket()),
        List.of(),
        List.of());
  }

  /**
   * Compacts every bucket.
   *
   * @param full all runs into one; else only what is due
   */
  public Optional<Snapshot> compact(boolean full) throws IOException {
    return prepareCompaction(full).commit();
  }

  /** As {@link #compact}, up to the commit. */
  public Pending prepareCompaction(boolean full) throws IOException {
    Snapshot base = table.snapshots().latest().orElse(null);
    return new Pending(new Commit(table, base), changes(Compaction.of(table, full)));
  }

  /** Rewrites files of which more than this share of rows is struck out. */
  public Optional<Snapshot> purge(double threshold) throws IOException {
    Compaction compaction = Compaction.purge(table, threshold);
    return compaction.commit(changes(compaction));
  }

  private static List<BucketChange> changes(Compaction compaction) throws IOException {
    List<BucketChange> changes = new ArrayList<>();
    for (BucketState bucket : compaction.buckets(id -> true)) {
      changes.add(compaction.run(bucket));
    }
    return changes;
  }

  /** All rows of the newest snapshot, ascending by primary key or else by their texts. */
  public List<List<Object>> rows() throws IOException {
    return rows(LevelZero.MERGE);
  }

  /** As {@link #rows()}; says what becomes of level-0 files beside deletion bitmaps. */
  public List<List<Object>> rows(LevelZero levelZero) throws IOException {
    return rows(table, table.snapshots().latest().orElse(null), levelZero);
  }

  /** All rows of an older snapshot, in its own columns. */
  public List<List<Object>> rows(long snapshot, LevelZero levelZero) throws IOException {
    return rows(table.snapshots().get(snapshot), levelZero);
  }

  /** As the other form, for a snapshot that a tag may keep. */
  public List<List<Object>> rows(Snapshot old, LevelZero levelZero) throws IOException {
    return rows(table.atSchema(old.schemaId()), old, levelZero);
  }

  private static List<List<Object>> rows(Table table, Snapshot snapshot, LevelZero levelZero)
      throws IOException {
    RowType columns = table.schema().rowType();
    List<List<Object>> rows =
        scan(
            table,
            snapshot,
            columns,
            Predicate.ALWAYS,
            levelZero,
            1,
            DataFiles.BatchSettings.DEFAULT);
    rows.sort(
        PlainValues.order(table.schema().primaryKeys().stream().map(columns::indexOf).toList()));
    return rows;
  }

  /**
   * The rows of the newest snapshot that fulfil a condition, in no particular order.
   *
   * @param columns of the table to return, those of the condition among them
   * @param tasks that share the work
   */
  public List<List<Object>> rows(RowType columns, Predicate condition, int tasks)
      throws IOException {
    return rows(columns, condition, tasks, DataFiles.BatchSettings.DEFAULT);
  }

  /** As the other form, in batches of this kind. */
  public List<List<Object>> rows(
      RowType columns, Predicate condition, int tasks, DataFiles.BatchSettings batches)
      throws IOException {
    Snapshot latest = table.snapshots().latest().orElse(null);
    return scan(table, latest, columns, condition, LevelZero.MERGE, tasks, batches);
  }

  /** The rows that the reader returns, unchecked: {@link ScanFilter} says which. */
  public List<List<Object>> rows(
      RowType columns, ScanFilter filter, int tasks, DataFiles.BatchSettings batches)
      throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    Snapshot latest = table.snapshots().latest().orElse(null);
    ScanPlan plan = ScanPlan.of(table, latest, filter.condition(), LevelZero.MERGE);
    read(table, columns, filter, plan.splits(tasks), batches, rows::add);
    return rows;
  }

  private static List<List<Object>> scan(
      Table table,
      Snapshot snapshot,
      RowType columns,
      Predicate condition,
      LevelZero levelZero,
      int tasks,
      DataFiles.BatchSettings batches)
      throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    ScanPlan plan = ScanPlan.of(table, snapshot, condition, levelZero);
    read(
        table,
        columns,
        ScanFilter.of(condition),
        plan.splits(tasks),
        batches,
        row -> {
          InternalRow internal = PlainValues.row(row, columns);
          if (Predicates.test(condition, internal, columns) == Truth.TRUE) {
            rows.add(row);
          }
        });
    plan.exactRowCount().ifPresent(count -> checkCount(count, rows.size()));
    return rows;
  }

  private static void read(
      Table table,
      RowType columns,
      ScanFilter filter,
      List<Split> splits,
      DataFiles.BatchSettings batches,
      Consumer<List<Object>> rows)
      throws IOException {
    for (Split split : splits) {
      try (SplitReader reader = new SplitReader(table, columns, filter, batches, split)) {
        for (ColumnarBatch batch = reader.next(); batch != null; batch = reader.next()) {
          for (int i = 0; i < batch.numRows(); i++) {
            rows.accept(PlainValues.of(batch.getRow(i), columns));
          }
        }
      }
    }
  }

  private static void checkCount(long promised, int found) {
    if (promised != found) {
      throw new AssertionError("plan promised %d rows, read %d".formatted(promised, found));
    }
  }

  /** The data files of the newest snapshot. */
  public List<DataFile> files() throws IOException {
    LiveFiles live = new LiveFiles(table, table.snapshots().latest().orElse(null));
    return live.buckets(id -> true).stream().flatMap(state -> state.files().stream()).toList();
  }

  /** Whether another writer left files that its own batch reads do not see. */
  public boolean hasLevelZero() throws IOException {
    return files().stream().anyMatch(file -> file.level() == 0);
  }

  /** The newest snapshot; 0 if there is none. */
  public long latestSnapshot() throws IOException {
    return table.snapshots().latest().map(Snapshot::id).orElse(0L);
  }
}
