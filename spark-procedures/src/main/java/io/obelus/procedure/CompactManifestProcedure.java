package io.obelus.procedure;

import io.obelus.core.table.maintenance.CompactManifests;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.compact_manifest('db.t')}: few manifests, none of a file that is gone. */
final class CompactManifestProcedure implements TableProcedure {

  @Override
  public String name() {
    return "compact_manifest";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(new Parameter(TABLE, DataTypes.StringType, true));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("manifests_before", DataTypes.LongType, false)
        .add("manifests_after", DataTypes.LongType, false)
        .add("bytes_before", DataTypes.LongType, false)
        .add("bytes_after", DataTypes.LongType, false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    CompactManifests.Result result = CompactManifests.run(table);
    return List.of(
        RowFactory.create(
            result.before(), result.after(), result.bytesBefore(), result.bytesAfter()));
  }
}
