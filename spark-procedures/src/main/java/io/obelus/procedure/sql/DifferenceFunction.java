package io.obelus.procedure.sql;

import io.obelus.spark.ObelusChangesTable;
import io.obelus.spark.ObelusTable;
import io.obelus.spark.option.ScanRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Option;
import scala.Tuple3;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.runtime.AbstractFunction1;

/**
 * Table functions that read what lies between two snapshots. Each stands for a table with an
 * option, {@code t} or {@code t$changes}; there is no rule of ours.
 *
 * <p>The table is looked up here. Were it left to Spark, a query that names the table twice would
 * read both times what it is asked for the first time: within a query Spark keeps tables by name,
 * whatever their options.
 *
 * <pre>
 *   obelus_incremental_query('db.t', 3, 7)               rows inserted or updated
 *   obelus_incremental_changes('db.t', 'monday', 7)      all, with their kinds
 *   obelus_incremental_between_timestamp('db.t', '2024-01-31 12:00:00', '2024-01-31 13:00:00')
 * </pre>
 */
public final class DifferenceFunction extends AbstractFunction1<Seq<Expression>, LogicalPlan> {

  private static final String CHANGES = "$changes";

  private final String name;
  private final String option;
  private final String suffix;

  private DifferenceFunction(String name, String option, String suffix) {
    this.name = name;
    this.option = option;
    this.suffix = suffix;
  }

  /** Makes them known to the sessions of these extensions. */
  public static void inject(SparkSessionExtensions extensions) {
    List.of(
            new DifferenceFunction("obelus_incremental_query", ScanRange.BETWEEN, ""),
            new DifferenceFunction("obelus_incremental_changes", ScanRange.BETWEEN, CHANGES),
            new DifferenceFunction(
                "obelus_incremental_between_timestamp", ScanRange.BETWEEN_TIMES, ""))
        .forEach(function -> function.injectInto(extensions));
  }

  private void injectInto(SparkSessionExtensions extensions) {
    extensions.injectTableFunction(
        new Tuple3<>(
            new FunctionIdentifier(name),
            new ExpressionInfo(DifferenceFunction.class.getName(), name),
            this));
  }

  @Override
  public LogicalPlan apply(Seq<Expression> arguments) {
    List<String> given = new ArrayList<>();
    for (Expression argument : JavaConverters.seqAsJavaList(arguments)) {
      given.add(text(argument));
    }
    if (given.size() != 3 || given.contains(null)) {
      throw new IllegalArgumentException(
          "%s takes a table's name, a start and an end: %s('db.t', <start>, <end>); here are %d arguments"
              .formatted(name, name, given.size()));
    }
    Map<String, String> options = new HashMap<>();
    options.put(option, given.get(1) + "," + given.get(2));
    return relation(given.get(0), new CaseInsensitiveStringMap(options));
  }

  private LogicalPlan relation(String table, CaseInsensitiveStringMap options) {
    List<String> parts = parts(table);
    CatalogManager manager = SparkSession.active().sessionState().catalogManager();
    boolean hasCatalog = parts.size() > 1 && manager.isCatalogRegistered(parts.get(0));
    CatalogPlugin catalog = hasCatalog ? manager.catalog(parts.get(0)) : manager.currentCatalog();
    String[] namespace = parts.subList(hasCatalog ? 1 : 0, parts.size() - 1).toArray(String[]::new);
    Identifier identifier =
        Identifier.of(
            namespace.length == 0 && !hasCatalog ? manager.currentNamespace() : namespace,
            parts.get(parts.size() - 1));
    try {
      Table found = ((TableCatalog) catalog).loadTable(identifier);
      if (!(found instanceof ObelusTable) && !(found instanceof ObelusChangesTable)) {
        throw new IllegalArgumentException(
            "%s: '%s' is not a table of Obelus".formatted(name, table));
      }
      return DataSourceV2Relation.create(
          found, Option.apply(catalog), Option.apply(identifier), options);
    } catch (NoSuchTableException e) {
      throw new IllegalArgumentException(
          "%s: there is no table '%s' in catalog '%s'".formatted(name, table, catalog.name()), e);
    }
  }

  /** A number, a text, or a time in milliseconds; null for anything else. */
  private static String text(Expression argument) {
    if (!argument.foldable()) {
      return null;
    }
    DataType type = argument.dataType();
    if (type.equals(DataTypes.TimestampType)) {
      Object micros = argument.eval(InternalRow.empty());
      return micros == null ? null : Long.toString(Math.floorDiv((Long) micros, 1000L));
    }
    boolean readable =
        type.equals(DataTypes.StringType)
            || type.equals(DataTypes.IntegerType)
            || type.equals(DataTypes.LongType);
    Object value = readable ? argument.eval(InternalRow.empty()) : null;
    return value == null ? null : value.toString();
  }

  private List<String> parts(String table) {
    int bare =
        table.indexOf('`') < 0 && table.indexOf('$') > 0 ? table.indexOf('$') : table.length();
    try {
      List<String> parts =
          new ArrayList<>(
              JavaConverters.seqAsJavaList(
                  SparkSession.active()
                      .sessionState()
                      .sqlParser()
                      .parseMultipartIdentifier(table.substring(0, bare))));
      parts.set(parts.size() - 1, parts.get(parts.size() - 1) + table.substring(bare) + suffix);
      return parts;
    } catch (ParseException e) {
      throw new IllegalArgumentException(
          "%s: '%s' is not the name of a table".formatted(name, table), e);
    }
  }
}
