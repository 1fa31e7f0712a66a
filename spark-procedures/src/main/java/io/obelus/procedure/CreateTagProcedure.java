package io.obelus.procedure;

import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.Tag;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.create_tag('db.t', 'name')}: names a snapshot and keeps it readable when it
 * expires.
 */
final class CreateTagProcedure implements TableProcedure {

  private static final String TAG = "tag";
  private static final String SNAPSHOT = "snapshot";
  private static final String TIME_RETAINED = "time_retained";

  @Override
  public String name() {
    return "create_tag";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(TABLE, DataTypes.StringType, true),
        new Parameter(TAG, DataTypes.StringType, true),
        new Parameter(SNAPSHOT, DataTypes.LongType, false),
        new Parameter(TIME_RETAINED, DataTypes.StringType, false));
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
    Optional<Long> id = arguments.number(SNAPSHOT);
    Snapshot snapshot = id.isPresent() ? table.snapshots().get(id.get()) : newest(table);
    Duration retained =
        arguments
            .text(TIME_RETAINED)
            .map(text -> TableOptions.duration(TIME_RETAINED, text))
            .orElse(null);
    Tag tag = table.tags().create(arguments.text(TAG).orElseThrow(), snapshot, retained);
    return List.of(RowFactory.create(tag.name(), snapshot.id()));
  }

  private static Snapshot newest(Table table) throws IOException {
    return table
        .snapshots()
        .latest()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    table.name() + " has no snapshot yet that could be tagged"));
  }
}
