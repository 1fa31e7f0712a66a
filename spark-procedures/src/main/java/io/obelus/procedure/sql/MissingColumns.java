package io.obelus.procedure.sql;

import io.obelus.spark.ObelusTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.UnresolvedInlineTable;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.analysis.UnresolvedStar;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.types.StructField;
import scala.Option;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.runtime.AbstractPartialFunction;

/**
 * Lets {@code INSERT INTO t (a, c) …} leave out columns of a table of ours: they get their DEFAULT,
 * or NULL. Spark 3.5 can do that for its own file tables only; here the missing columns are written
 * into the statement before Spark looks at it.
 */
final class MissingColumns {

  private final SparkSession session;

  MissingColumns(SparkSession session) {
    this.session = session;
  }

  /** The statement with all columns named, if it is an INSERT that leaves out some. */
  LogicalPlan filled(LogicalPlan statement) {
    if (statement instanceof ExplainCommand explain) {
      return explain.copy(filled(explain.logicalPlan()), explain.mode());
    }
    return statement.transformDown(
        new AbstractPartialFunction<LogicalPlan, LogicalPlan>() {
          @Override
          public boolean isDefinedAt(LogicalPlan node) {
            return node instanceof InsertIntoStatement insert
                && insert.table() instanceof UnresolvedRelation
                && !insert.userSpecifiedCols().isEmpty();
          }

          @Override
          public LogicalPlan apply(LogicalPlan node) {
            return filledInsert((InsertIntoStatement) node);
          }
        });
  }

  /** The statement with all columns; as it was where it is for Spark to judge. */
  private LogicalPlan filledInsert(InsertIntoStatement insert) {
    List<String> given = java(insert.userSpecifiedCols());
    List<StructField> missing = missing(insert, given);
    if (missing.isEmpty()) {
      return insert;
    }
    List<String> names = new ArrayList<>(given);
    List<Expression> values = new ArrayList<>();
    for (StructField column : missing) {
      names.add(column.name());
      values.add(value(column));
    }
    LogicalPlan query = insert.query();
    LogicalPlan wider =
        query instanceof UnresolvedInlineTable rows
            ? wider(rows, values)
            : wider(query, missing, values);
    return insert.copy(
        insert.table(),
        insert.partitionSpec(),
        scala(names),
        wider,
        insert.overwrite(),
        insert.ifPartitionNotExists(),
        insert.byName());
  }

  /** Columns that the statement says nothing of; none if the statement is not for us. */
  private List<StructField> missing(InsertIntoStatement insert, List<String> given) {
    ObelusTable table =
        Catalogs.table(session, java(((UnresolvedRelation) insert.table()).multipartIdentifier()));
    if (table == null) {
      return List.of();
    }
    List<String> named = new ArrayList<>(given);
    for (var partition : JavaConverters.mapAsJavaMap(insert.partitionSpec()).entrySet()) {
      if (partition.getValue().isEmpty()) {
        return List.of(); // dynamic: its place among the columns is for Spark to find
      }
      named.add(partition.getKey());
    }
    List<StructField> columns = List.of(table.schema().fields());
    boolean allKnown =
        given.stream().allMatch(name -> columns.stream().anyMatch(c -> same(c.name(), name)));
    boolean asMany =
        !(insert.query() instanceof UnresolvedInlineTable rows)
            || java(rows.rows()).stream().allMatch(row -> row.size() == given.size());
    return allKnown && asMany
        ? columns.stream()
            .filter(column -> named.stream().noneMatch(name -> same(column.name(), name)))
            .toList()
        : List.of();
  }

  private boolean same(String one, String other) {
    return session.sessionState().conf().caseSensitiveAnalysis()
        ? one.equals(other)
        : one.equalsIgnoreCase(other);
  }

  private Expression value(StructField column) {
    Option<String> text = column.getCurrentDefaultValue();
    if (text.isDefined()) {
      try {
        return session.sessionState().sqlParser().parseExpression(text.get());
      } catch (ParseException e) {
        throw new IllegalArgumentException(
            "column '%s' has the DEFAULT %s, which Spark does not understand; name the column in the INSERT"
                .formatted(column.name(), text.get()),
            e);
      }
    }
    if (!column.nullable()) {
      throw new IllegalArgumentException(
          "INSERT: column '%s' is NOT NULL and has no DEFAULT, so it has to be among the columns that the statement names"
              .formatted(column.name()));
    }
    return new Literal(null, CharVarcharUtils.replaceCharVarcharWithString(column.dataType()));
  }

  private static LogicalPlan wider(UnresolvedInlineTable table, List<Expression> values) {
    List<String> names = new ArrayList<>(java(table.names()));
    values.forEach(value -> names.add("col" + (names.size() + 1)));
    List<Seq<Expression>> rows = new ArrayList<>();
    for (Seq<Expression> row : java(table.rows())) {
      List<Expression> all = new ArrayList<>(java(row));
      all.addAll(values);
      rows.add(scala(all));
    }
    return new UnresolvedInlineTable(scala(names), scala(rows));
  }

  private static LogicalPlan wider(
      LogicalPlan query, List<StructField> columns, List<Expression> values) {
    List<NamedExpression> all = new ArrayList<>();
    all.add(new UnresolvedStar(Option.empty()));
    for (int i = 0; i < values.size(); i++) {
      all.add(
          new Alias(
              values.get(i),
              columns.get(i).name(),
              NamedExpression.newExprId(),
              scala(List.of()),
              Option.empty(),
              scala(List.of())));
    }
    return new Project(scala(all), query);
  }

  private static <T> List<T> java(Seq<T> list) {
    return JavaConverters.seqAsJavaList(list);
  }

  private static <T> Seq<T> scala(List<T> list) {
    return JavaConverters.asScalaBuffer(list).toList();
  }
}
