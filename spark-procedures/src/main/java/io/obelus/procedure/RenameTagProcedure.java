package io.obelus.procedure;

import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.rename_tag('db.t', 'old', 'new')}. */
final class RenameTagProcedure implements TableProcedure {

  private static final String TAG = "tag";
  private static final String TARGET = "target_tag";

  @Override
  public String name() {
    return "rename_tag";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(TAG, DataTypes.StringType, true),
        new Parameter(TARGET, DataTypes.StringType, true));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("tag", DataTypes.StringType, false)
        .add("snapshot_id", DataTypes.LongType, false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    String target = arguments.text(TARGET).orElseThrow();
    table.tags().rename(arguments.text(TAG).orElseThrow(), target);
    return List.of(RowFactory.create(target, table.tags().get(target).snapshot().id()));
  }
}
