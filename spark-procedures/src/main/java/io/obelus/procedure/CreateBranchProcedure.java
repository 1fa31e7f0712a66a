package io.obelus.procedure;

import io.obelus.core.table.snapshot.Snapshot;
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
 * {@code CALL sys.create_branch('db.t', 'name', 'tag')}: begins a history beside that of the table,
 * with what a tag holds or without rows.
 */
final class CreateBranchProcedure implements TableProcedure {

  private static final String BRANCH = "branch";
  private static final String TAG = "tag";

  @Override
  public String name() {
    return "create_branch";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(BRANCH, DataTypes.StringType, true),
        new Parameter(TAG, DataTypes.StringType, false));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("branch", DataTypes.StringType, false)
        .add("snapshot_id", DataTypes.LongType, true);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    String branch = arguments.text(BRANCH).orElseThrow();
    table.branches().create(branch, arguments.text(TAG).orElse(null));
    Long begun = table.onBranch(branch).snapshots().earliest().map(Snapshot::id).orElse(null);
    return List.of(RowFactory.create(branch, begun));
  }
}
