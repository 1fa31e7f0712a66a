package io.obelus.spark;

import io.obelus.core.table.scan.MetadataColumns;
import io.obelus.spark.option.SchemaMergeOption;
import io.obelus.spark.option.StatementOptions;
import io.obelus.spark.rowlevel.OperationColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * What a statement says about a table to be made. Not yet checked by the core, which knows what the
 * options mean.
 *
 * @param options table options, {@code primary-key} among them
 * @param comment null if none
 */
record TableDefinition(
    StructType columns, List<String> partitionKeys, Map<String, String> options, String comment) {

  static final String PRIMARY_KEY = "primary-key";

  TableDefinition {
    partitionKeys = List.copyOf(partitionKeys);
    options = Map.copyOf(options);
  }

  /**
   * From what Spark hands to a catalog; IllegalArgumentException names what cannot be had.
   *
   * @param defaults options for those that {@code properties} leave out
   */
  static TableDefinition of(
      StructType columns,
      Transform[] partitions,
      Map<String, String> properties,
      Map<String, String> defaults) {
    for (StructField column : columns.fields()) {
      refuseTakenName(column.name());
    }
    refuseOtherProvider(properties);
    Map<String, String> options = new HashMap<>(defaults);
    options.putAll(tableOptions(properties));
    return new TableDefinition(
        columns, identities(partitions), options, properties.get(TableCatalog.PROP_COMMENT));
  }

  /** Refuses the name of a metadata column, or of one that Spark needs for itself. */
  static void refuseTakenName(String name) {
    if (OperationColumns.have(name)) {
      throw new IllegalArgumentException(
          "column '"
              + name
              + "' has a name that Spark needs for itself in DELETE, UPDATE and MERGE; choose"
              + " another");
    }
    for (var reserved : MetadataColumns.ALL) {
      if (reserved.name().equalsIgnoreCase(name)) {
        throw new IllegalArgumentException(
            "column '"
                + name
                + "' has the name of a metadata column, which says where a row is; choose another");
      }
    }
  }

  /** The session's default source is let pass: Spark names it where the user named none. */
  private static void refuseOtherProvider(Map<String, String> properties) {
    String provider = properties.get(TableCatalog.PROP_PROVIDER);
    if (!ObelusSource.isNamedIn(properties)
        && provider != null
        && !provider.equalsIgnoreCase(SQLConf.get().defaultDataSourceName())) {
      throw new IllegalArgumentException(
          "USING "
              + provider
              + " cannot be had: this catalog keeps tables of "
              + ObelusSource.NAME);
    }
  }

  private static List<String> identities(Transform[] partitions) {
    List<String> keys = new ArrayList<>();
    for (Transform partition : partitions) {
      if (!partition.name().equals("identity")
          || partition.references()[0].fieldNames().length > 1) {
        throw new IllegalArgumentException(
            "PARTITIONED BY "
                + partition.describe()
                + " cannot be had: tables are partitioned by the values of top-level columns. For"
                + " buckets set the options 'bucket' and 'bucket-key'.");
      }
      keys.add(partition.references()[0].fieldNames()[0]);
    }
    return keys;
  }

  /** Partition columns in Spark's terms; a name may hold a dot. */
  static Transform[] identities(List<String> partitionKeys) {
    return partitionKeys.stream()
        .map(name -> Expressions.identity("`" + name.replace("`", "``") + "`"))
        .toArray(Transform[]::new);
  }

  private static Map<String, String> tableOptions(Map<String, String> properties) {
    Map<String, String> options = new HashMap<>();
    properties.forEach(
        (name, value) -> {
          switch (name) {
            case TableCatalog.PROP_COMMENT,
                TableCatalog.PROP_OWNER,
                TableCatalog.PROP_PROVIDER,
                TableCatalog.PROP_IS_MANAGED_LOCATION -> {}
            case TableCatalog.PROP_LOCATION, TableCatalog.PROP_EXTERNAL ->
                throw new IllegalArgumentException(
                    placeIn(properties)
                        + " cannot be had: a catalog keeps its tables in its warehouse. A table"
                        + " elsewhere is named by its path: `/dir/t`.");
            default -> {
              // OPTIONS (k = v) arrive twice, as k and as option.k
              if (!name.startsWith(TableCatalog.OPTION_PREFIX)) {
                options.put(name, value);
              }
            }
          }
        });
    return options;
  }

  private static String placeIn(Map<String, String> properties) {
    String location = properties.get(TableCatalog.PROP_LOCATION);
    return location == null ? "EXTERNAL" : "LOCATION '" + location + "'";
  }

  /** The same with the options of the write that fills the table; those it has already stay. */
  TableDefinition with(Map<String, String> writeOptions) {
    Map<String, String> merged = new HashMap<>(options);
    writeOptions.forEach(
        (name, value) -> {
          boolean isOfWrite =
              StatementOptions.isOfSpark(name)
                  || SchemaMergeOption.NAMES.contains(name.toLowerCase(Locale.ROOT));
          if (!isOfWrite) {
            merged.putIfAbsent(name, value);
          }
        });
    return new TableDefinition(columns, partitionKeys, merged, comment);
  }
}
