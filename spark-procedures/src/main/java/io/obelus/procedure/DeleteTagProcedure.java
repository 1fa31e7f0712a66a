package io.obelus.procedure;

import io.obelus.core.table.maintenance.DeleteTag;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.delete_tag('db.t', 'a, b')}: deletes tags, and the files that nothing but they
 * kept.
 */
final class DeleteTagProcedure implements TableProcedure {

  private static final String TAG = "tag";

  @Override
  public String name() {
    return "delete_tag";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(TAG, DataTypes.StringType, true));
  }

  @Override
  public StructType output() {
    return new StructType()
        .add("tag", DataTypes.StringType, false)
        .add("snapshot_id", DataTypes.LongType, false)
        .add("deleted_files_count", DataTypes.LongType, false);
  }

  @Override
  public List<Row> call(
      SparkSession session, TableCatalog catalog, Table table, Arguments arguments)
      throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String name : names(table.tags(), arguments.text(TAG).orElseThrow())) {
      DeleteTag.Result result = DeleteTag.of(table, name);
      rows.add(RowFactory.create(result.tag(), result.snapshot(), result.files()));
    }
    return rows;
  }

  /** The one tag of that name, else those of a list with commas between; all must exist. */
  private static Set<String> names(Tags tags, String text) throws IOException {
    Set<String> names = new LinkedHashSet<>();
    if (tags.find(text).isPresent()) {
      names.add(text);
    } else {
      names.addAll(Arrays.stream(text.split(",")).map(String::strip).toList());
    }
    for (String name : names) {
      tags.get(name);
    }
    return names;
  }
}
