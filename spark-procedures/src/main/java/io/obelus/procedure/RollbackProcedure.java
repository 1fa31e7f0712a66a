package io.obelus.procedure;

import io.obelus.core.table.maintenance.Rollback;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TimeTravel;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.rollback(table => 'db.t', snapshot => 3)}: what was committed after a snapshot is
 * taken back, with the tags of what is gone.
 */
final class RollbackProcedure implements TableProcedure {

  private static final String VERSION = "version";
  private static final String SNAPSHOT = "snapshot";
  private static final String TAG = "tag";
  private static final String TIMESTAMP = "timestamp";
  private static final String DRY_RUN = "dry_run";

  @Override
  public String name() {
    return "rollback";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(VERSION, DataTypes.StringType, false),
        new Parameter(SNAPSHOT, DataTypes.LongType, false),
        new Parameter(TAG, DataTypes.StringType, false),
        new Parameter(TIMESTAMP, DataTypes.TimestampType, false),
        new Parameter(DRY_RUN, DataTypes.BooleanType, false));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("previous_snapshot_id", DataTypes.LongType, false)
        .add("current_snapshot_id", DataTypes.LongType, false)
        .add("snapshots_removed", DataTypes.LongType, false)
        .add("tags_removed", DataTypes.createArrayType(DataTypes.StringType, false), false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    Rollback.Result result =
        Rollback.to(table, target(table, arguments), arguments.flag(DRY_RUN, false));
    return List.of(
        RowFactory.create(
            result.from(),
            result.to(),
            (long) result.snapshots().size(),
            result.tags().toArray(new String[0])));
  }

  private static Snapshot target(Table table, Arguments arguments) throws IOException {
    long given = Stream.of(VERSION, SNAPSHOT, TAG, TIMESTAMP).filter(arguments::has).count();
    if (given != 1) {
      throw new IllegalArgumentException(
          "sys.rollback needs one of the arguments 'version' (a tag or the number of a snapshot),"
              + " 'snapshot', 'tag' and 'timestamp', not "
              + given);
    }
    TimeTravel travel = new TimeTravel(table);
    if (arguments.has(VERSION)) {
      return travel.version(arguments.text(VERSION).orElseThrow());
    } else if (arguments.has(SNAPSHOT)) {
      return travel.snapshot(arguments.number(SNAPSHOT).orElseThrow());
    } else if (arguments.has(TAG)) {
      return travel.tag(arguments.text(TAG).orElseThrow());
    }
    return travel.asOf(arguments.time(TIMESTAMP).orElseThrow().toEpochMilli());
  }
}
