package io.obelus.procedure;

import io.obelus.core.table.maintenance.RemoveOrphanFiles;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.remove_orphan_files('db.t')}: deletes files that no snapshot, tag or branch
 * refers to and that are older than any write that may still go on.
 */
final class RemoveOrphanFilesProcedure implements TableProcedure {

  private static final String OLDER_THAN = "older_than";
  private static final String DRY_RUN = "dry_run";
  private static final Duration LONGEST_WRITE = Duration.ofDays(1);

  @Override
  public String name() {
    return "remove_orphan_files";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(OLDER_THAN, DataTypes.TimestampType, false),
        new Parameter(DRY_RUN, DataTypes.BooleanType, false));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("file", DataTypes.StringType, false)
        .add("bytes", DataTypes.LongType, false)
        .add("modified", DataTypes.TimestampType, false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    Instant olderThan =
        arguments.time(OLDER_THAN).orElseGet(() -> Instant.now().minus(LONGEST_WRITE));
    boolean java8 = session.sessionState().conf().datetimeJava8ApiEnabled();
    return RemoveOrphanFiles.run(table, olderThan, arguments.flag(DRY_RUN, false)).stream()
        .map(
            orphan ->
                RowFactory.create(
                    orphan.path(),
                    orphan.size(),
                    java8 ? orphan.modified() : java.sql.Timestamp.from(orphan.modified())))
        .toList();
  }
}
