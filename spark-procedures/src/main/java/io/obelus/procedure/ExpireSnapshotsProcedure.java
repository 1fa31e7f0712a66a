package io.obelus.procedure;

import io.obelus.core.table.maintenance.ExpireSnapshots;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.expire_snapshots('db.t')}: deletes old snapshots and the files that nothing else
 * needs. What is not said in the call is as the table's options have it.
 */
final class ExpireSnapshotsProcedure implements TableProcedure {

  private static final String RETAIN_MAX = "retain_max";
  private static final String RETAIN_MIN = "retain_min";
  private static final String OLDER_THAN = "older_than";
  private static final String MAX_DELETES = "max_deletes";
  private static final String DRY_RUN = "dry_run";

  @Override
  public String name() {
    return "expire_snapshots";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(RETAIN_MAX, DataTypes.LongType, false),
        new Parameter(RETAIN_MIN, DataTypes.LongType, false),
        new Parameter(OLDER_THAN, DataTypes.TimestampType, false),
        new Parameter(MAX_DELETES, DataTypes.LongType, false),
        new Parameter(DRY_RUN, DataTypes.BooleanType, false));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("deleted_snapshots_count", DataTypes.LongType, false)
        .add("first_snapshot_id", DataTypes.LongType)
        .add("last_snapshot_id", DataTypes.LongType)
        .add("deleted_data_files_count", DataTypes.LongType, false)
        .add("deleted_index_files_count", DataTypes.LongType, false)
        .add("deleted_metadata_files_count", DataTypes.LongType, false)
        .add("deleted_bytes", DataTypes.LongType, false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    ExpireSnapshots.Result result =
        ExpireSnapshots.run(table, rules(table, arguments), arguments.flag(DRY_RUN, false));
    List<Long> gone = result.snapshots();
    return List.of(
        RowFactory.create(
            (long) gone.size(),
            gone.isEmpty() ? null : gone.get(0),
            gone.isEmpty() ? null : gone.get(gone.size() - 1),
            result.dataFiles(),
            result.indexFiles(),
            result.metadataFiles(),
            result.bytes()));
  }

  private static ExpireSnapshots.Rules rules(Table table, Arguments arguments) {
    ExpireSnapshots.Rules stored =
        ExpireSnapshots.Rules.of(table.options(), System.currentTimeMillis());
    int most = arguments.count(RETAIN_MAX, 1).orElse(stored.retainMax());
    // Who says only how many may stay means it, whatever the least number of the table is.
    int least = arguments.count(RETAIN_MIN, 1).orElse(Math.min(stored.retainMin(), most));
    return new ExpireSnapshots.Rules(
        least,
        most,
        arguments.time(OLDER_THAN).map(Instant::toEpochMilli).orElse(stored.olderThanMillis()),
        arguments.count(MAX_DELETES, 0).orElse(stored.maxDeletes()));
  }
}
