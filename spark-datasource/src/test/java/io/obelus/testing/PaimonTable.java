package io.obelus.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.AppendOnlyFileStore;
import org.apache.paimon.Snapshot;
import org.apache.paimon.append.AppendCompactCoordinator;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.Bitmap64DeletionVector;
import org.apache.paimon.deletionvectors.BitmapDeletionVector;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.deletionvectors.append.BaseAppendDeleteFileMaintainer;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.index.IndexFileHandler;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.BucketEntry;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.SchemaChange;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.system.SystemTableLoader;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowKind;

/**
 * One table as Apache Paimon sees it. Every write is one batch job: written, compacted as Paimon
 * sees fit, committed. Values are plain Java ones, as {@link PaimonValues} says.
 */
public final class PaimonTable {

  private final PaimonTables tables;
  private final Path directory;
  private final FileStoreTable table;
  private final Path scratch;

  PaimonTable(PaimonTables tables, Path directory, FileStoreTable table, Path scratch) {
    this.tables = tables;
    this.directory = directory;
    this.table = table;
    this.scratch = scratch;
  }

  /** A row and what it does to its key. */
  public record Row(RowKind kind, Object... values) {

    public static Row insert(Object... values) {
      return new Row(RowKind.INSERT, values);
    }

    public static Row delete(Object... values) {
      return new Row(RowKind.DELETE, values);
    }
  }

  /** The table's directory. */
  public Path directory() {
    return directory;
  }

  /** Paimon's own view, for what has no method here. */
  public FileStoreTable table() {
    return table;
  }

  /** The same table with an option set for what follows, such as {@code write-only}. */
  public PaimonTable with(String option, String value) {
    return new PaimonTable(tables, directory, table.copy(Map.of(option, value)), scratch);
  }

  /** A branch of the table. */
  public PaimonTable branch(String name) {
    return new PaimonTable(tables, directory, table.switchToBranch(name), scratch);
  }

  /** The table after a change of its schema. */
  public PaimonTable alter(SchemaChange... changes) throws Exception {
    table.schemaManager().commitChanges(changes);
    return reopened();
  }

  /** The table as its newest schema says. */
  public PaimonTable reopened() throws IOException {
    return tables.open(directory);
  }

  /** Writes rows in one batch. */
  public void write(Row... rows) throws Exception {
    write(List.of(rows));
  }

  /** Writes rows in one batch. */
  public void write(List<Row> rows) throws Exception {
    inOneJob(
        write -> {
          for (Row row : rows) {
            write.write(internal(row));
          }
        });
  }

  /**
   * Writes rows in one batch; before it is committed, {@code meanwhile} is done, which may use this
   * table otherwise.
   */
  public void write(List<Row> rows, Meanwhile meanwhile) throws Exception {
    inOneJob(
        write -> {
          for (Row row : rows) {
            write.write(internal(row));
          }
        },
        meanwhile);
  }

  /** What happens between a write and its commit. */
  @FunctionalInterface
  public interface Meanwhile {
    void run() throws Exception;
  }

  /** Writes rows in one batch to the bucket given; for tables of dynamic buckets. */
  public void writeTo(int bucket, Row... rows) throws Exception {
    inOneJob(
        write -> {
          for (Row row : rows) {
            write.write(internal(row), bucket);
          }
        });
  }

  /** Fully compacts every bucket. */
  public void compact() throws Exception {
    inOneJob(
        write -> {
          for (BucketEntry entry : table.newSnapshotReader().bucketEntries()) {
            write.compact(entry.partition(), entry.bucket(), true);
          }
        });
  }

  /** Compacts a table without a key and without fixed buckets where Paimon finds it due. */
  public void compactUnaware() throws Exception {
    List<CommitMessage> messages = new ArrayList<>();
    BaseAppendFileStoreWrite write = ((AppendOnlyFileStore) table.store()).newWrite("tests");
    WholeTables.paimonCommitsTo(directory);
    try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
      for (AppendCompactTask task : new AppendCompactCoordinator(table, false).run()) {
        messages.add(task.doCompact(table, write));
      }
      commit.commit(messages);
    } finally {
      write.close();
    }
  }

  /**
   * Strikes out rows of a table without a key, as Paimon's DELETE does.
   *
   * @param rows positions by the name of the data file
   */
  public void strikeOut(Map<String, List<Long>> rows) throws Exception {
    IndexFileHandler handler = table.store().newIndexFileHandler();
    boolean unaware = table.coreOptions().bucket() < 0;
    Snapshot latest = table.snapshotManager().latestSnapshot();
    Map<String, BaseAppendDeleteFileMaintainer> buckets = new LinkedHashMap<>();
    for (DataSplit split : table.newSnapshotReader().read().dataSplits()) {
      for (DataFileMeta file : split.dataFiles()) {
        if (rows.containsKey(file.fileName())) {
          BaseAppendDeleteFileMaintainer bitmaps =
              buckets.computeIfAbsent(
                  split.partition() + "/" + split.bucket(),
                  bucket ->
                      unaware
                          ? BaseAppendDeleteFileMaintainer.forUnawareAppend(
                              handler, latest, split.partition())
                          : BaseAppendDeleteFileMaintainer.forBucketedAppend(
                              handler, latest, split.partition(), split.bucket()));
          DeletionVector bitmap =
              table.coreOptions().deletionVectorBitmap64()
                  ? new Bitmap64DeletionVector()
                  : new BitmapDeletionVector();
          rows.get(file.fileName()).forEach(bitmap::delete);
          bitmaps.notifyNewDeletionVector(file.fileName(), bitmap);
        }
      }
    }
    List<CommitMessage> messages = new ArrayList<>();
    for (BaseAppendDeleteFileMaintainer bitmaps : buckets.values()) {
      List<IndexManifestEntry> entries = bitmaps.persist();
      messages.add(
          new CommitMessageImpl(
              bitmaps.getPartition(),
              bitmaps.getBucket(),
              table.coreOptions().bucket(),
              new DataIncrement(
                  List.of(),
                  List.of(),
                  List.of(),
                  indexFiles(entries, FileKind.ADD),
                  indexFiles(entries, FileKind.DELETE)),
              CompactIncrement.emptyIncrement()));
    }
    WholeTables.paimonCommitsTo(directory);
    try (BatchTableCommit commit = table.newBatchWriteBuilder().newCommit()) {
      commit.commit(messages);
    }
  }

  private static List<IndexFileMeta> indexFiles(List<IndexManifestEntry> entries, FileKind kind) {
    return entries.stream()
        .filter(entry -> entry.kind() == kind)
        .map(IndexManifestEntry::indexFile)
        .toList();
  }

  /** A system table of it, such as {@code files}. */
  public Table systemTable(String name) {
    return SystemTableLoader.load(name, table);
  }

  /** All rows of a system table, in no meaningful order. */
  public List<List<Object>> systemRows(String name) throws IOException {
    Table system = systemTable(name);
    List<DataType> types = system.rowType().getFieldTypes();
    List<List<Object>> rows = new ArrayList<>();
    ReadBuilder builder = system.newReadBuilder();
    try (RecordReader<InternalRow> reader =
        builder.newRead().createReader(builder.newScan().plan())) {
      reader.forEachRemaining(row -> rows.add(PaimonValues.values(row, types)));
    }
    return rows;
  }

  /** All rows of the newest snapshot, ascending by primary key or else by their texts. */
  public List<List<Object>> rows() throws IOException {
    return rows(table.newReadBuilder());
  }

  /** As {@link #rows()}, leaving out rows that do not fulfil a condition, if not all of them. */
  public List<List<Object>> rows(Predicate condition) throws IOException {
    return rows(table.newReadBuilder().withFilter(condition));
  }

  private List<List<Object>> rows(ReadBuilder builder) throws IOException {
    List<DataType> types = table.rowType().getFieldTypes();
    List<List<Object>> rows = new ArrayList<>();
    try (IOManager disk = IOManager.create(scratch.toString());
        RecordReader<InternalRow> reader =
            builder.newRead().withIOManager(disk).createReader(builder.newScan().plan())) {
      reader.forEachRemaining(row -> rows.add(PaimonValues.values(row, types)));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
    rows.sort(
        PlainValues.order(
            table.primaryKeys().stream().map(table.rowType()::getFieldIndex).toList()));
    return rows;
  }

  /** All rows of an older snapshot. */
  public List<List<Object>> rows(long snapshot) throws IOException {
    return with("scan.snapshot-id", Long.toString(snapshot)).rows();
  }

  /**
   * All rows after a full compaction, which reads every file and every bitmap. It is done on a
   * copy: the table stays as it is.
   */
  public List<List<Object>> rowsAfterCompactingACopy() throws Exception {
    PaimonTable copy = tables.copyOf(directory);
    copy.compact();
    return copy.rows();
  }

  /** The newest snapshot; 0 if there is none. */
  public long latestSnapshot() {
    Long id = table.snapshotManager().latestSnapshotId();
    return id == null ? 0 : id;
  }

  private GenericRow internal(Row row) {
    List<DataType> types = table.rowType().getFieldTypes();
    if (row.values.length != types.size()) {
      throw new IllegalArgumentException(
          "%d values for %d columns".formatted(row.values.length, types.size()));
    }
    GenericRow internal = new GenericRow(row.kind, types.size());
    for (int i = 0; i < types.size(); i++) {
      internal.setField(i, PaimonValues.internal(row.values[i], types.get(i)));
    }
    return internal;
  }

  private void inOneJob(Job job) throws Exception {
    inOneJob(job, () -> {});
  }

  private void inOneJob(Job job, Meanwhile meanwhile) throws Exception {
    WholeTables.paimonCommitsTo(directory);
    BatchWriteBuilder builder = table.newBatchWriteBuilder();
    try (IOManager disk = IOManager.create(scratch.toString());
        BatchTableWrite write = builder.newWrite();
        BatchTableCommit commit = builder.newCommit()) {
      write.withIOManager(disk); // where look-ups of replaced rows keep their files
      job.run(write);
      List<CommitMessage> messages = write.prepareCommit();
      meanwhile.run();
      commit.commit(messages);
    }
  }

  private interface Job {
    void run(BatchTableWrite write) throws Exception;
  }
}
