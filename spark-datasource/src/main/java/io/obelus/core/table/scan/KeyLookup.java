package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketProbe;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.data.SortedFileCursor;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.ProjectedRow;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.BucketOfRow;
import io.obelus.core.table.snapshot.Table;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Finds the live row of a primary key. Keys may come in any order; as long as those of a bucket
 * ascend, each of its pages is read at most once, and only if it may hold one of them. Memory: a
 * batch for each run of the buckets of one partition. Not thread-safe.
 */
public final class KeyLookup implements Closeable {

  private final Table table;
  private final DataFiles dataFiles;
  private final PartRows partRows;
  private final Map<BucketId, List<Split.Part>> buckets;
  private final Map<DataFile, Place> places = new IdentityHashMap<>();

  private final BucketOfRow bucketOfRow;
  private final RowType keyType; // without the columns of the partition
  private final RowComparator order; // of rows of keyType
  private final int[] key; // indexes of keyType in a primary key
  private final RowType read; // keyType, then what else is asked for
  private final ProjectedRow row; // of a primary key with what was read behind it
  private final JoinedRow keyAndRead = new JoinedRow();

  private final Map<BucketId, Walk> walks = new HashMap<>();
  private BucketId bucket;
  private Walk walk; // through the bucket; null if it has no files

  /** A file, and how many rows those before it have. */
  private record Place(Split.Part part, long rowsBefore) {}

  /**
   * Prepares to look; files are opened when a key may be in them.
   *
   * @param columns of the table, to return in this order
   */
  public KeyLookup(KeyedFiles files, RowType columns, DataFiles.BatchSettings batches) {
    table = files.table();
    dataFiles = new DataFiles(table.storage(), batches);
    partRows = new PartRows(table);
    buckets = files.buckets();
    long rows = 0;
    for (List<Split.Part> parts : buckets.values()) {
      for (Split.Part part : parts) {
        places.put(part.file(), new Place(part, rows));
        rows += part.file().rowCount();
      }
    }
    TableSchema schema = table.schema();
    RowType primaryKey = primaryKey(schema);
    bucketOfRow = new BucketOfRow(table, primaryKey);
    keyType = schema.rowType().project(schema.trimmedPrimaryKeys());
    order = RowComparator.of(keyType);
    key = primaryKey.indexesOf(keyType.names());
    read = withOthers(keyType, primaryKey, columns);
    row = view(primaryKey, read, columns);
  }

  /** Row type of the keys to look up: the columns of the primary key. */
  public static RowType primaryKey(TableSchema schema) {
    return schema.rowType().project(schema.primaryKeys());
  }

  private static RowType withOthers(RowType keyType, RowType primaryKey, RowType columns) {
    List<Column> all = new ArrayList<>(keyType.columns());
    for (Column column : columns.columns()) {
      if (primaryKey.indexOfId(column.id()) < 0) {
        all.add(column);
      }
    }
    return new RowType(all);
  }

  /** Of the columns asked for, those of the primary key are the same in the key that found them. */
  private static ProjectedRow view(RowType primaryKey, RowType read, RowType columns) {
    List<Column> below = new ArrayList<>(primaryKey.columns());
    below.addAll(read.columns());
    int[] indexes = new int[columns.size()];
    for (int i = 0; i < indexes.length; i++) {
      int id = columns.column(i).id();
      int inKey = primaryKey.indexOfId(id);
      indexes[i] = inKey >= 0 ? inKey : primaryKey.size() + read.indexOfId(id);
    }
    return new ProjectedRow(below, indexes);
  }

  /**
   * Whether there is a live row of this key.
   *
   * @param sought a row of {@link #primaryKey} without nulls
   */
  public boolean find(UnsafeRow sought) throws IOException {
    enter(bucketOfRow.of(sought));
    if (walk == null || !walk.find(sought)) {
      return false;
    }
    row.over(keyAndRead.apply(sought, walk.probe.row()));
    return true;
  }

  /** The row found; valid until the next key is sought, and as long as the key is. */
  public InternalRow row() {
    return row;
  }

  /** A number that the row found has and no other row of these files. */
  public long number() {
    return places.get(walk.probe.file()).rowsBefore() + walk.probe.position();
  }

  private void enter(BucketId next) throws IOException {
    if (next.equals(bucket)) {
      return;
    }
    if (bucket != null && !next.partition().equals(bucket.partition())) {
      close();
    }
    bucket = next;
    List<Split.Part> parts = buckets.get(next);
    walk = parts == null ? null : walks.computeIfAbsent(next, id -> new Walk(parts));
  }

  /** The way through a bucket, as far as the last key led. */
  private final class Walk implements Closeable {

    private final List<DataFile> files;
    private final ProjectedRow wanted;
    private final ProjectedRow before;
    private final UnsafeRow last;
    private BucketProbe probe;

    Walk(List<Split.Part> parts) {
      RowType primaryKey = primaryKey(table.schema());
      files = parts.stream().map(Split.Part::file).toList();
      wanted = new ProjectedRow(primaryKey, key);
      before = new ProjectedRow(primaryKey, key);
      last = new UnsafeRow(primaryKey.size());
      last.pointTo(new byte[0], 0); // of its own, to be copied into
    }

    boolean find(UnsafeRow sought) throws IOException {
      wanted.over(sought);
      if (probe != null && order.compare(wanted, before.over(last)) < 0) {
        close();
      }
      if (probe == null) {
        probe = new BucketProbe(keyType, files, KeyLookup.this::open);
      }
      last.copyFrom(sought);
      return probe.find(wanted);
    }

    @Override
    public void close() throws IOException {
      if (probe != null) {
        BucketProbe closing = probe;
        probe = null;
        closing.close();
      }
    }
  }

  private SortedFileCursor open(DataFile file) throws IOException {
    Split.Part part = places.get(file).part();
    return dataFiles.openSorted(
        new DataFiles.Request(
            file.path(part.directory()),
            table.fileSchemas().rowType(file.schemaId()),
            read,
            partRows.live(part),
            Predicate.ALWAYS),
        IntStream.range(0, keyType.size()).toArray());
  }

  @Override
  public void close() throws IOException {
    for (Walk open : walks.values()) {
      open.close();
    }
    walks.clear();
    bucket = null;
    walk = null;
  }
}
