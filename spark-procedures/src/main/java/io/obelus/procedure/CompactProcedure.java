package io.obelus.procedure;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.table.maintenance.Compaction;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.compact(table => 'db.t')}: merges the files of each bucket, so that struck-out
 * rows are left behind and fewer files are there to read. No row of the table changes.
 *
 * <p>Buckets are spread over the tasks of one job; all of them become visible in one snapshot. A
 * commit that changes one of the buckets meanwhile makes the call fail, and the table stays as that
 * commit left it.
 */
final class CompactProcedure implements Procedure {

  private static final String TABLE = "table";
  private static final String PARTITIONS = "partitions";
  private static final String COMPACT_STRATEGY = "compact_strategy"; // Paimon's name
  private static final String WHERE = "where";
  private static final String DRY_RUN = "dry_run";
  private static final String STRATEGY = "strategy";
  private static final String THRESHOLD = "threshold";
  private static final String PURGE = "purge";

  @Override
  public String name() {
    return "compact";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(PARTITIONS, DataTypes.StringType, false),
        new Parameter(COMPACT_STRATEGY, DataTypes.StringType, false),
        new Parameter(WHERE, DataTypes.StringType, false),
        new Parameter(DRY_RUN, DataTypes.BooleanType, false),
        new Parameter(STRATEGY, DataTypes.StringType, false),
        new Parameter(THRESHOLD, DataTypes.DoubleType, false));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("partition", DataTypes.StringType, false)
        .add("bucket", DataTypes.IntegerType, false)
        .add("files_before", DataTypes.LongType, false)
        .add("files_after", DataTypes.LongType)
        .add("bytes_before", DataTypes.LongType, false)
        .add("bytes_after", DataTypes.LongType)
        .add("rows_struck_out", DataTypes.LongType)
        .add("rows_purged", DataTypes.LongType);
  }

  @Override
  public List<Row> call(SparkSession session, TableCatalog catalog, Arguments arguments) {
    Table table = CalledTable.of(session, catalog, arguments.text(TABLE).orElseThrow()).table();
    PartitionFilter wanted =
        PartitionFilter.of(session, table, arguments.text(PARTITIONS), arguments.text(WHERE));
    try {
      Compaction compaction = compaction(table, arguments);
      List<BucketState> buckets = wanted.keep(compaction.buckets(id -> true));
      if (arguments.flag(DRY_RUN, false)) {
        return buckets.stream().map(bucket -> row(table, bucket, null)).toList();
      }
      List<BucketChange> changes =
          BucketJob.run(
              session, "compact " + table.name(), buckets, BucketChange.class, compaction::run);
      compaction.commit(changes);
      return rows(table, buckets, changes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Compaction compaction(Table table, Arguments arguments) throws IOException {
    String strategy = strategy(arguments);
    if (arguments.has(THRESHOLD) && !strategy.equals(PURGE)) {
      throw new IllegalArgumentException(
          "argument 'threshold' of sys.compact goes with strategy 'purge' only");
    }
    return switch (strategy) {
      case "full" -> Compaction.of(table, true);
      case "minor" -> Compaction.of(table, false);
      case PURGE ->
          Compaction.purge(
              table, arguments.real(THRESHOLD).orElseGet(table.options()::compactionMostStruckOut));
      default ->
          throw new IllegalArgumentException(
              "the strategy of sys.compact should be 'full', 'minor' or 'purge' but is '"
                  + strategy
                  + "'");
    };
  }

  private static String strategy(Arguments arguments) {
    if (arguments.has(STRATEGY) && arguments.has(COMPACT_STRATEGY)) {
      throw new IllegalArgumentException(
          "arguments 'strategy' and 'compact_strategy' of sys.compact are the same; give one");
    }
    return arguments
        .text(STRATEGY)
        .or(() -> arguments.text(COMPACT_STRATEGY))
        .orElse("full")
        .toLowerCase(Locale.ROOT);
  }

  private static List<Row> rows(
      Table table, List<BucketState> buckets, List<BucketChange> changes) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < buckets.size(); i++) {
      rows.add(row(table, buckets.get(i), changes.get(i)));
    }
    return rows;
  }

  /** What became of a bucket; without a change only what it is now. */
  private static Row row(Table table, BucketState before, BucketChange change) {
    List<DataFile> files = before.files();
    List<DataFile> after = null;
    if (change != null) {
      Map<String, DataFile> left = new HashMap<>();
      files.forEach(file -> left.put(file.name(), file));
      change.removed().forEach(file -> left.remove(file.name()));
      change.added().forEach(file -> left.put(file.name(), file));
      after = List.copyOf(left.values());
    }
    return RowFactory.create(
        new PartitionPath(table.schema()).of(before.id().partition()),
        before.id().bucket(),
        (long) files.size(),
        after == null ? null : (long) after.size(),
        bytes(files),
        after == null ? null : bytes(after),
        change == null ? null : change.report().rowsStruckOut(),
        change == null ? null : change.report().rowsPurged());
  }

  private static Long bytes(List<DataFile> files) {
    return files.stream().mapToLong(DataFile::size).sum();
  }
}
