package io.obelus.procedure.sql;

import io.obelus.procedure.Arguments;
import io.obelus.procedure.Procedure;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** A {@code CALL}: runs once, when Spark executes commands, and its rows are its result. */
public final class CallCommand extends ProcedureCommand {

  private static final long serialVersionUID = 1;

  private final transient Procedure procedure;
  private final transient TableCatalog catalog;
  private final Seq<String> names;
  private final Seq<Expression> values;

  /**
   * @param names of the arguments; {@link CallParser#NO_NAME} where one has none
   * @param values as Spark has resolved them by now
   */
  public CallCommand(
      Procedure procedure,
      TableCatalog catalog,
      Seq<String> names,
      Seq<Expression> values,
      Seq<Attribute> output) {
    super(output, procedure, catalog, names, values, output);
    this.procedure = procedure;
    this.catalog = catalog;
    this.names = names;
    this.values = values;
  }

  @Override
  public Seq<Row> run(SparkSession session) {
    Arguments arguments = Arguments.of(procedure, given(session));
    return JavaConverters.asScalaBuffer(procedure.call(session, catalog, arguments)).toList();
  }

  private List<Arguments.Given> given(SparkSession session) {
    List<NamedExpression> columns = new ArrayList<>();
    for (Expression value : JavaConverters.seqAsJavaList(values)) {
      if (!value.foldable()) {
        throw new IllegalArgumentException(
            "CALL: argument '" + value.sql() + "' has to be a constant");
      }
      columns.add(
          new Alias(
              value,
              "_" + columns.size(),
              NamedExpression.newExprId(),
              list(),
              Option.empty(),
              list()));
    }
    if (columns.isEmpty()) {
      return List.of();
    }
    Dataset<Row> evaluated =
        Dataset.ofRows(
            session,
            new Project(JavaConverters.asScalaBuffer(columns).toList(), new OneRowRelation()));
    StructType types = evaluated.schema();
    Row row = evaluated.head();
    List<String> given = JavaConverters.seqAsJavaList(names);
    List<Arguments.Given> arguments = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String name = given.get(i).equals(CallParser.NO_NAME) ? null : given.get(i);
      arguments.add(new Arguments.Given(name, types.apply(i).dataType(), row.get(i)));
    }
    return arguments;
  }

  @Override
  public String nodeName() {
    return "Call sys." + procedure.name();
  }
}
