package io.obelus.spark.write;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.BucketWriter;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import io.obelus.core.table.commit.Commit;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.BucketOfRow;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/**
 * Writes the rows of one task, each to its bucket, one bucket at a time.
 *
 * <p>Rows have to come clustered by bucket and in key order, or the task sorts them. Either way
 * each row is compared with the one before: a bucket that comes back, or a key that is smaller than
 * the last, ends the task, since a wrong order could leave two rows of a key.
 *
 * <p>Not thread-safe.
 */
public final class TaskWriter implements Closeable {

  private final WriteJob job;
  private final BucketOfRow bucketOfRow;
  private final RequiredColumns required;
  private final KindColumn kindColumn;
  private final UnsafeProjection toUnsafe;
  private final boolean kinds;
  private final boolean overrules;
  private final Comparator<InternalRow> byKey;
  private final TaskSort sort;
  private final KeyChanges keyChanges;

  private final Map<Integer, Map<BucketId, BucketState>> statesOfSlot = new HashMap<>();
  private final Set<BucketId> closed = new HashSet<>();
  private final List<BucketChange> changes = new ArrayList<>();

  private BucketWriter writer;
  private BucketId current;
  private boolean done;

  /** The row written last; null until there is one in the current bucket. */
  private UnsafeRow last;

  TaskWriter(WriteJob job) throws IOException {
    this.job = job;
    TableSchema schema = job.table().schema();
    TableOptions options = job.table().options();
    RowType type = schema.rowType();
    Clustering clustering = job.clustering();
    this.bucketOfRow = new BucketOfRow(job.table(), job.table().schema().rowType());
    this.required = new RequiredColumns(schema);
    this.kindColumn = new KindColumn(type);
    this.toUnsafe = UnsafeProjection.create(type.toSpark());
    this.kinds = job.keyChanges() || options.rowKindField().isPresent();
    this.overrules = job.keyChanges() && options.deletionCoding().isPresent();
    int[] key = type.indexesOf(schema.trimmedPrimaryKeys());
    this.byKey = key.length == 0 ? null : RowComparator.of(type, key);
    this.sort =
        clustering.sortInTask()
            ? new TaskSort(
                kinds ? kindColumn.schema() : type.toSpark(),
                type,
                bucketOfRow.function(),
                clustering.slots().buckets(),
                type.indexesOf(
                    Stream.of(
                            schema.partitionKeys(),
                            schema.trimmedPrimaryKeys(),
                            schema.keyed() ? options.sequenceFields() : List.<String>of())
                        .flatMap(List::stream)
                        .toList()))
            : null;
    this.keyChanges =
        job.keyChanges() ? new KeyChanges(schema, options, kindColumn, this::writeToBucket) : null;
  }

  /**
   * Adds a row.
   *
   * @param row all columns of the table; may be reused by the caller
   * @param kind code of a {@link RowKind}
   * @throws IllegalArgumentException if a column that may not be null is; the message names it
   */
  public void write(InternalRow row, byte kind) throws IOException {
    required.check(row, kind);
    if (sort != null) {
      sort.add(kinds ? kindColumn.append(row, kind) : unsafe(row));
    } else if (keyChanges != null) {
      keyChanges.add(kindColumn.append(row, kind));
    } else {
      writeToBucket(row, kind);
    }
  }

  /** Writes what is left and says what changed, bucket by bucket. To be called once. */
  public List<BucketChange> finish() throws IOException {
    if (sort != null) {
      Iterator<InternalRow> sorted = sort.sorted();
      while (sorted.hasNext()) {
        UnsafeRow row = (UnsafeRow) sorted.next();
        if (keyChanges != null) {
          keyChanges.add(row);
        } else if (kinds) {
          writeToBucket(kindColumn.strip(row), kindColumn.kind(row));
        } else {
          writeToBucket(row, RowKind.INSERT.code());
        }
      }
    }
    if (keyChanges != null) {
      keyChanges.finish();
    }
    finishBucket();
    done = true;
    return changes;
  }

  private void writeToBucket(InternalRow row, byte kind) throws IOException {
    BucketId bucket = bucketOfRow.of(row);
    if (bucket != current) {
      finishBucket();
      open(bucket);
    } else if (byKey != null && byKey.compare(last, row) > 0) {
      throw outOfOrder(bucket, "a smaller key follows a larger one");
    }
    if (overrules && kind != RowKind.INSERT.code()) {
      writer.overrule(row, kind);
    } else {
      writer.write(row, kind);
    }
    if (byKey != null) {
      remember(row);
    }
  }

  private void open(BucketId bucket) throws IOException {
    if (!closed.add(bucket)) {
      throw outOfOrder(bucket, "its rows are not together");
    }
    writer = job.tasks().write(state(bucket));
    current = bucket;
  }

  private void finishBucket() throws IOException {
    if (writer != null) {
      changes.add(writer.finish());
      writer.close();
      writer = null;
      current = null;
    }
  }

  private BucketState state(BucketId bucket) throws IOException {
    Slots slots = job.clustering().slots();
    if (slots == null) {
      return job.empty(bucket); // rows are only added: what is there does not matter
    }
    // A task mostly has the buckets of one slot; the manifests are read once for all of them.
    int slot = slots.slot(bucket);
    Map<BucketId, BucketState> states = statesOfSlot.get(slot);
    if (states == null) {
      states = new HashMap<>();
      for (BucketState state : job.states(id -> slots.slot(id) == slot)) {
        states.put(state.id(), state);
      }
      statesOfSlot.put(slot, states);
    }
    BucketState state = states.get(bucket);
    if (state == null) {
      return job.empty(bucket);
    }
    if (state.totalBuckets() > 0 && state.totalBuckets() != slots.buckets()) {
      throw new IllegalArgumentException(
          "%s: the files in %s were written with %d buckets, but option 'bucket' is %d. Rewrite the partition with INSERT OVERWRITE, or set the option back."
              .formatted(
                  job.table().name(), state.directory(), state.totalBuckets(), slots.buckets()));
    }
    return state;
  }

  private void remember(InternalRow row) {
    UnsafeRow unsafe = unsafe(row);
    if (last == null) {
      last = UnsafeRow.createFromByteArray(unsafe.getSizeInBytes(), unsafe.numFields());
    }
    last.copyFrom(unsafe);
  }

  private UnsafeRow unsafe(InternalRow row) {
    return row instanceof UnsafeRow given ? given : toUnsafe.apply(row);
  }

  private IllegalStateException outOfOrder(BucketId bucket, String what) {
    return new IllegalStateException(
        "%s: rows of bucket %d of partition %s are out of order: %s. Nothing was committed; the rows were not distributed as the write asked for."
            .formatted(job.table().name(), bucket.bucket(), bucket.partition(), what));
  }

  /** Without {@link #finish} before: deletes whatever was written. */
  @Override
  public void close() throws IOException {
    if (sort != null) {
      sort.close();
    }
    if (writer != null) {
      writer.close();
      writer = null;
    }
    if (!done) {
      abort();
    }
  }

  /** Deletes what was written, also after {@link #finish}. */
  public void abort() throws IOException {
    done = true;
    new Commit(job.table(), job.base()).abort(changes);
    changes.clear();
  }
}
