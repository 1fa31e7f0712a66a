package io.obelus.procedure;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowBytes;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Function1;

/**
 * Which partitions a procedure is about, as its arguments say it. Spark itself evaluates the
 * condition over the partition values, so it means what it means in a query.
 */
final class PartitionFilter {

  private static final String INDEX = "__index";

  private final SparkSession session;
  private final TableSchema schema;
  private final Column condition;

  private PartitionFilter(SparkSession session, TableSchema schema, Column condition) {
    this.session = session;
    this.schema = schema;
    this.condition = condition;
  }

  /**
   * Reads the arguments.
   *
   * @param partitions {@code "pt=1,dt=2024-01-01;pt=2"}: any of these, each with one or more of the
   *     partition columns
   * @param where a SQL condition over the partition columns
   * @throws IllegalArgumentException if both are given, or one for a table without partitions
   */
  static PartitionFilter of(
      SparkSession session, Table table, Optional<String> partitions, Optional<String> where) {
    TableSchema schema = table.schema();
    if (partitions.isEmpty() && where.isEmpty()) {
      return new PartitionFilter(session, schema, null);
    }
    if (partitions.isPresent() && where.isPresent()) {
      throw new IllegalArgumentException(
          "arguments 'partitions' and 'where' exclude each other; give one of them");
    }
    if (schema.partitionKeys().isEmpty()) {
      throw new IllegalArgumentException(
          table.name() + " has no partitions, so that it cannot be narrowed to some");
    }
    return new PartitionFilter(
        session,
        schema,
        where.isPresent()
            ? functions.expr(where.get())
            : anyOf(partitions.get(), schema, table.options().partitionDefaultName()));
  }

  private static Column anyOf(String partitions, TableSchema schema, String defaultName) {
    StructType types = schema.partitionType().toSpark();
    Column any = null;
    for (String partition : partitions.split(";", -1)) {
      Column all = null;
      for (String pair : partition.split(",", -1)) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? "" : pair.substring(0, equals).trim();
        if (!schema.partitionKeys().contains(name)) {
          throw new IllegalArgumentException(
              "argument 'partitions' should be like \"%s=…\", several columns parted by a comma and several partitions by a semicolon, but has '%s'"
                  .formatted(schema.partitionKeys().get(0), pair));
        }
        String value = pair.substring(equals + 1).trim();
        Column column = functions.col("`" + name.replace("`", "``") + "`");
        Column is =
            value.equals(defaultName)
                ? column.isNull()
                : column.equalTo(functions.lit(value).cast(types.apply(name).dataType()));
        all = all == null ? is : all.and(is);
      }
      any = any == null ? all : any.or(all);
    }
    return any;
  }

  /** The buckets whose partition fulfils the condition, in their order. */
  List<BucketState> keep(List<BucketState> buckets) {
    if (condition == null) {
      return buckets;
    }
    Set<RowBytes> partitions = new LinkedHashSet<>();
    buckets.forEach(bucket -> partitions.add(bucket.id().partition()));
    Set<RowBytes> kept = fulfilling(List.copyOf(partitions));
    return buckets.stream().filter(bucket -> kept.contains(bucket.id().partition())).toList();
  }

  private Set<RowBytes> fulfilling(List<RowBytes> partitions) {
    StructType types = schema.partitionType().toSpark();
    BinaryRows rows = new BinaryRows(schema.partitionType());
    Function1<Object, Object> external = CatalystTypeConverters.createToScalaConverter(types);
    List<Row> values = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      Row partition = (Row) external.apply(rows.read(partitions.get(i).bytes()));
      Object[] all = new Object[types.length() + 1];
      for (int column = 0; column < types.length(); column++) {
        all[column] = partition.get(column);
      }
      all[types.length()] = i;
      values.add(RowFactory.create(all));
    }
    Set<RowBytes> fulfilling = new HashSet<>();
    for (Row row :
        session
            .createDataFrame(values, types.add(INDEX, DataTypes.IntegerType, false))
            .filter(condition)
            .select(INDEX)
            .collectAsList()) {
      fulfilling.add(partitions.get(row.getInt(0)));
    }
    return fulfilling;
  }
}
