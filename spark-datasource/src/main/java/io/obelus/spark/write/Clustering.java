package io.obelus.spark.write;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.internal.SQLConf;

/**
 * How the rows of a write get to their tasks: all rows of a bucket to one task, and in it bucket by
 * bucket, each in key order.
 *
 * <p>Where a task has just one bucket, Spark sorts: by the key alone, which for one column of a
 * number is a radix sort. Where a task has several, the task sorts ({@link TaskSort}): Spark would
 * work out the bucket of both rows anew at each comparison.
 *
 * <p>Without a catalog of ours Spark knows no function to cluster by. Then one task writes
 * everything: two tasks with rows of one bucket would each strike out what only the other sees.
 *
 * @param slots null where rows need no bucket: append tables without fixed buckets
 * @param fixedTasks number of tasks that Spark is held to; 0 = as it likes
 * @param sortInTask whether the task has to sort
 */
public record Clustering(TableSchema schema, Slots slots, int fixedTasks, boolean sortInTask)
    implements Serializable {

  /**
   * The one for rows of {@code table}.
   *
   * @param hasFunctionCatalog whether Spark can ask a catalog of ours for functions
   */
  public static Clustering of(Table table, boolean hasFunctionCatalog) {
    TableSchema schema = table.schema();
    TableOptions options = table.options();
    int buckets = options.bucket();
    if (buckets <= 0) {
      if (schema.keyed()) {
        throw new IllegalArgumentException(
            table.name()
                + ": option 'bucket' is "
                + buckets
                + "; rows are written only to a fixed number of buckets so far. Make the table"
                + " with 'bucket' above 0.");
      }
      return new Clustering(schema, null, 0, false);
    }
    int tasks = SQLConf.get().numShufflePartitions();
    boolean partitioned = !schema.partitionKeys().isEmpty();
    int slots = !hasFunctionCatalog ? 1 : partitioned ? tasks : Math.min(buckets, tasks);
    boolean oneBucketEach = hasFunctionCatalog && !partitioned && slots == buckets;
    return new Clustering(
        schema,
        new Slots(
            options.bucketFunction(),
            buckets,
            slots,
            scalars(schema.partitionType()),
            scalars(schema.rowType().project(options.bucketKeys()))),
        // Spread over partitions the rows may be few: then Spark joins small tasks.
        !hasFunctionCatalog || !partitioned ? slots : 0,
        !oneBucketEach);
  }

  /** What Spark has to do with the rows before tasks get them. */
  public Distribution distribution() {
    if (slots == null) {
      return Distributions.unspecified();
    }
    List<String> columns =
        Stream.concat(schema.partitionKeys().stream(), bucketKeys().stream()).toList();
    Expression[] arguments = columns.stream().map(name -> column(name)).toArray(Expression[]::new);
    return Distributions.clustered(
        slots.slots() == 1
            ? arguments
            : new Expression[] {Expressions.apply(slots.name(), arguments)});
  }

  /** The order in which Spark has to hand rows to a task. */
  public SortOrder[] ordering() {
    if (slots == null) {
      return ascending(schema.partitionKeys());
    }
    List<String> columns = new ArrayList<>(schema.trimmedPrimaryKeys());
    if (schema.keyed()) {
      new TableOptions(schema)
          .sequenceFields().stream().filter(s -> !columns.contains(s)).forEach(columns::add);
    }
    return sortInTask ? new SortOrder[0] : ascending(columns);
  }

  /** {@link #ordering} for changes of keys: a deleted row may have no columns but its key. */
  public SortOrder[] keyOrdering() {
    return sortInTask ? new SortOrder[0] : ascending(schema.trimmedPrimaryKeys());
  }

  private List<String> bucketKeys() {
    return new TableOptions(schema).bucketKeys();
  }

  private static SortOrder[] ascending(List<String> columns) {
    return columns.stream()
        .map(name -> Expressions.sort(column(name), SortDirection.ASCENDING))
        .toArray(SortOrder[]::new);
  }

  /** A reference to a column whose name may hold dots and quotes. */
  private static Expression column(String name) {
    return Expressions.column("`" + name.replace("`", "``") + "`");
  }

  private static List<ColumnType.Scalar> scalars(RowType type) {
    List<ColumnType.Scalar> scalars = new ArrayList<>();
    for (Column column : type.columns()) {
      if (!(column.type() instanceof ColumnType.Scalar scalar)) {
        throw new IllegalArgumentException(
            "column '" + column.name() + "' has a nested type and cannot be part of a bucket key");
      }
      scalars.add(scalar);
    }
    return scalars;
  }
}
