package io.obelus.procedure;

import io.obelus.core.table.maintenance.FastForward;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.fast_forward('db.t', 'branch')}: the table becomes what its branch is; what was
 * committed to the table since the branch began is gone.
 */
final class FastForwardProcedure implements TableProcedure {

  private static final String BRANCH = "branch";
  private static final String DRY_RUN = "dry_run";

  @Override
  public String name() {
    return "fast_forward";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(BRANCH, DataTypes.StringType, true),
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
    FastForward.Result result =
        FastForward.to(table, arguments.text(BRANCH).orElseThrow(), arguments.flag(DRY_RUN, false));
    return List.of(
        RowFactory.create(
            result.from(),
            result.to(),
            (long) result.removed().size(),
            result.tagsRemoved().toArray(new String[0])));
  }
}
