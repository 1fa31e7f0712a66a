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
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Finds the live row of a primary key. Keys may come in any order; if they come bucket by bucket
 * and ascend in each, every page is read at most once, and only if it may hold one of them. Memory:
 * a batch for each run of a bucket. Not thread-safe.
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
  private final RowType read; // keyType, then what else is asked for
  private final ProjectedRow row; // of a primary key with what was read behind it
  private final JoinedRow keyAndRead = new JoinedRow();

  private final ProjectedRow wanted; // the key sought
  private final ProjectedRow before; // the one before
  private final UnsafeRow last; // what it is a view of
  private BucketId bucket;
  private BucketProbe probe; // of the bucket, as far as the last key led; null until it is needed

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
    int[] key = primaryKey.indexesOf(keyType.names());
    read = withOthers(keyType, primaryKey, columns);
    row = view(primaryKey, read, columns);
    wanted = new ProjectedRow(primaryKey, key);
    before = new ProjectedRow(primaryKey, key);
    last = new UnsafeRow(primaryKey.size());
    last.pointTo(new byte[0], 0); // of its own, to be copied into
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
    try {
      enter(bucketOfRow.of(sought), sought);
      if (probe == null || !probe.find(wanted.over(sought))) {
        return false;
      }
    } catch (FileNotFoundException e) {
      throw MissingFile.explained(table, e);
    }
    row.over(keyAndRead.apply(sought, probe.row()));
    return true;
  }

  /** The row found; valid until the next key is sought, and as long as the key is. */
  public InternalRow row() {
    return row;
  }

  /** A number that the row found has and no other row of these files. */
  public long number() {
    return places.get(probe.file()).rowsBefore() + probe.position();
  }

  /** Goes to a bucket, or back to its beginning if the key lies behind. */
  private void enter(BucketId next, UnsafeRow sought) throws IOException {
    boolean isBehind = probe != null && order.compare(wanted.over(sought), before.over(last)) < 0;
    if (isBehind || !next.equals(bucket)) {
      close();
      bucket = next;
      List<Split.Part> parts = buckets.get(next);
      probe = parts == null ? null : new BucketProbe(keyType, files(parts), this::open);
    }
    last.copyFrom(sought);
  }

  private static List<DataFile> files(List<Split.Part> parts) {
    return parts.stream().map(Split.Part::file).toList();
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
    bucket = null;
    if (probe != null) {
      BucketProbe closing = probe;
      probe = null;
      closing.close();
    }
  }
}
