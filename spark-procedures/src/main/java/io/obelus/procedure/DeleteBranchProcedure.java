package io.obelus.procedure;

import io.obelus.core.table.snapshot.Branches;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.delete_branch('db.t', 'a, b')}: deletes branches. The files that only they needed
 * are left to {@code remove_orphan_files}.
 */
final class DeleteBranchProcedure implements TableProcedure {

  private static final String BRANCH = "branch";

  @Override
  public String name() {
    return "delete_branch";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(BRANCH, DataTypes.StringType, true));
  }

  @Override
  public StructType output() {
    return new StructType().add("branch", DataTypes.StringType, false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    Branches branches = table.branches();
    List<String> names =
        Arrays.stream(arguments.text(BRANCH).orElseThrow().split(","))
            .map(String::strip)
            .distinct()
            .toList();
    for (String name : names) {
      if (!branches.exists(name)) {
        throw new IllegalArgumentException(
            "%s has no branch '%s'; it has %s"
                .formatted(
                    table.name(),
                    name,
                    branches.names().isEmpty() ? "none" : String.join(", ", branches.names())));
      }
    }
    for (String name : names) {
      branches.delete(name);
    }
    return names.stream().map(RowFactory::create).toList();
  }
}
