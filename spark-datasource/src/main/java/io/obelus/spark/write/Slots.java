package io.obelus.spark.write;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * Which task of a write gets a bucket. A bucket belongs to one slot, the buckets of a partition are
 * dealt to the slots in turn, and each partition starts somewhere else.
 *
 * <p>Spark hashes whatever rows are clustered by once more, so that clustering by the number of the
 * slot would leave tasks idle (4 buckets went to 2 of 4 tasks). {@link #marks} has for each slot a
 * number that Spark's hash sends to exactly that task.
 *
 * <p>All of it has a name, by which Spark asks our catalog for the function; values cannot be
 * handed to a function when it is bound, and types of Spark do not tell a {@code TIMESTAMP(3)} from
 * a {@code TIMESTAMP(6)}, whose hashes differ:
 *
 * <pre>
 *   obelus_slot[DEFAULT,4,4;DATE.0.0;BIGINT.0.0,VARCHAR.20.0]
 *               |       | | |        |
 *               |       | | |        types of the bucket key
 *               |       | | types of the partition columns
 *               |       | number of slots
 *               |       number of buckets
 *               bucket function
 * </pre>
 *
 * @param slots number of tasks that rows are spread over
 * @param partition types of the partition columns
 * @param key types of the bucket key
 */
record Slots(
    BucketFunction.Type function,
    int buckets,
    int slots,
    List<ColumnType.Scalar> partition,
    List<ColumnType.Scalar> key)
    implements Serializable {

  private static final Pattern NAME =
      Pattern.compile("obelus_slot\\[(\\w+),(\\d+),(\\d+);([^;]*);([^;\\]]*)]");

  /** Spark's hash of an expression starts from here. */
  private static final int SEED = 42;

  String name() {
    return "obelus_slot[%s,%d,%d;%s;%s]"
        .formatted(function, buckets, slots, names(partition), names(key));
  }

  /** What {@link #name} said; null if the name is another one. */
  static Slots named(String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      return null;
    }
    return new Slots(
        BucketFunction.Type.valueOf(parts.group(1)),
        Integer.parseInt(parts.group(2)),
        Integer.parseInt(parts.group(3)),
        types(parts.group(4)),
        types(parts.group(5)));
  }

  /** Slot of a bucket, {@code [0, slots)}. */
  int slot(int partitionHash, int bucket) {
    return Math.floorMod(partitionHash + bucket, slots);
  }

  /** Slot of a bucket. */
  int slot(BucketId id) {
    return slot(partitionHash(id.partition()), id.bucket());
  }

  /** Where a partition starts to be dealt. */
  int partitionHash(RowBytes values) {
    return partition.isEmpty() ? 0 : values.hashCode();
  }

  BinaryRows partitionRows() {
    return new BinaryRows(rowType(partition));
  }

  /** Row type of the function's arguments: partition columns, then bucket key. */
  RowType arguments() {
    List<ColumnType.Scalar> types = new ArrayList<>(partition);
    types.addAll(key);
    return rowType(types);
  }

  /** The bucket function over {@link #arguments}. */
  BucketFunction bucketFunction() {
    int[] indexes = new int[key.size()];
    Arrays.setAll(indexes, i -> partition.size() + i);
    return new BucketFunction(function, arguments(), indexes, buckets);
  }

  /** For each slot a number that Spark's hash partitioning sends to the task of that number. */
  int[] marks() {
    int[] marks = new int[slots];
    boolean[] found = new boolean[slots];
    for (int mark = 0, missing = slots; missing > 0; mark++) {
      int task = Math.floorMod(Murmur3_x86_32.hashInt(mark, SEED), slots);
      if (!found[task]) {
        found[task] = true;
        marks[task] = mark;
        missing--;
      }
    }
    return marks;
  }

  private static RowType rowType(List<ColumnType.Scalar> types) {
    List<Column> columns = new ArrayList<>();
    for (ColumnType.Scalar type : types) {
      columns.add(new Column(columns.size(), "c" + columns.size(), type));
    }
    return new RowType(columns);
  }

  private static String names(List<ColumnType.Scalar> types) {
    return types.stream()
        .map(type -> type.kind() + "." + type.precision() + "." + type.scale())
        .collect(Collectors.joining(","));
  }

  private static List<ColumnType.Scalar> types(String names) {
    List<ColumnType.Scalar> types = new ArrayList<>();
    for (String name : names.isEmpty() ? new String[0] : names.split(",", -1)) {
      String[] parts = name.split("\\.", -1);
      types.add(
          new ColumnType.Scalar(
              ColumnType.Kind.valueOf(parts[0]),
              Integer.parseInt(parts[1]),
              Integer.parseInt(parts[2]),
              true));
    }
    return types;
  }
}
