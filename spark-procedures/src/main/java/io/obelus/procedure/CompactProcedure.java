package io.obelus.procedure;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.table.maintenance.Compaction;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
        return rows(table, buckets, null);
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

  /** What became of each bucket; without changes only what it is now. */
  private static List<Row> rows(
      Table table, List<BucketState> buckets, List<BucketChange> changes) {
    Map<BucketId, Figures> figures = new LinkedHashMap<>();
    for (int i = 0; i < buckets.size(); i++) {
      figures
          .computeIfAbsent(buckets.get(i).id(), id -> new Figures())
          .add(buckets.get(i), changes == null ? null : changes.get(i));
    }
    PartitionPath partitions = new PartitionPath(table.schema());
    List<Row> rows = new ArrayList<>();
    figures.forEach((id, of) -> rows.add(of.row(partitions.of(id.partition()), id.bucket())));
    return rows;
  }

  /** Sums over the parts of a bucket. */
  private static final class Figures {
    private boolean changed;
    private long filesBefore;
    private long filesAfter;
    private long bytesBefore;
    private long bytesAfter;
    private long struckOut;
    private long purged;

    /**
     * @param change null if there is none
     */
    void add(BucketState part, BucketChange change) {
      filesBefore += part.files().size();
      bytesBefore += bytes(part.files());
      if (change != null) {
        changed = true;
        filesAfter += part.files().size() - change.removed().size() + change.added().size();
        bytesAfter += bytes(part.files()) - bytes(change.removed()) + bytes(change.added());
        struckOut += change.report().rowsStruckOut();
        purged += change.report().rowsPurged();
      }
    }

    Row row(String partition, int bucket) {
      return RowFactory.create(
          partition,
          bucket,
          filesBefore,
          changed ? filesAfter : null,
          bytesBefore,
          changed ? bytesAfter : null,
          changed ? struckOut : null,
          changed ? purged : null);
    }
  }

  private static long bytes(List<DataFile> files) {
    return files.stream().mapToLong(DataFile::size).sum();
  }
}
