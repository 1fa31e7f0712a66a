package io.obelus.spark.write;

import io.obelus.core.table.snapshot.Table;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TableOutputResolver;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * From rows of any columns to rows of the table, for writes whose columns Spark has not compared
 * with the table's: by name, as Spark itself does it, with all that it checks. Columns that the
 * rows lack are NULL or what their DEFAULT says, and so are fields of structs. Made on the driver;
 * each task asks for its own function.
 */
final class RowAlignment implements Serializable {

  private static final long serialVersionUID = 1;

  /** Expressions over the attributes, one row to the next. */
  private record Step(Expression[] expressions, Attribute[] over) implements Serializable {

    static Step of(Project project) {
      return new Step(
          JavaConverters.seqAsJavaList(project.projectList()).toArray(Expression[]::new),
          JavaConverters.seqAsJavaList(project.child().output()).toArray(Attribute[]::new));
    }

    UnsafeProjection projection() {
      return UnsafeProjection.create(seq(List.of(expressions)), seq(List.of(over)));
    }
  }

  private final Step[] steps;

  private RowAlignment(List<Step> steps) {
    this.steps = steps.toArray(Step[]::new);
  }

  /**
   * The way from rows of {@code given} to rows of the table.
   *
   * @throws IllegalArgumentException or AnalysisException name a column that cannot be had
   */
  static RowAlignment of(Table table, StructType given) {
    StructType wanted = table.schema().rowType().toSpark();
    LogicalPlan rows = new LocalRelation(attributes(given), seq(List.<InternalRow>of()), false);
    Project filled = filled(rows, wanted);
    LogicalPlan resolved =
        TableOutputResolver.resolveOutputColumns(
            table.name(), attributes(wanted), filled, true, SQLConf.get(), true);
    List<Step> steps = new ArrayList<>();
    boolean isFilled = !filled.projectList().forall(column -> column instanceof Attribute);
    if (isFilled) {
      steps.add(Step.of(filled));
    }
    if (resolved instanceof Project project && project != filled) {
      steps.add(Step.of(project));
    }
    return new RowAlignment(steps);
  }

  @SuppressWarnings("unchecked") // an attribute reference is an attribute
  private static Seq<Attribute> attributes(StructType type) {
    return (Seq<Attribute>) (Seq<?>) DataTypeUtils.toAttributes(type);
  }

  private static <T> Seq<T> seq(List<T> list) {
    return JavaConverters.asScalaBuffer(list).toSeq();
  }

  /** The rows with all fields in their structs, and with values of types that Spark can store. */
  private static Project filled(LogicalPlan rows, StructType wanted) {
    List<NamedExpression> columns = new ArrayList<>();
    for (Attribute column : JavaConverters.seqAsJavaList(rows.output())) {
      int index = index(wanted, column.name());
      Expression value =
          index < 0 ? column : filled(column, column.dataType(), wanted.apply(index).dataType());
      columns.add(
          value == column
              ? column
              : new Alias(
                  value,
                  column.name(),
                  NamedExpression.newExprId(),
                  seq(List.<String>of()),
                  Option.empty(),
                  seq(List.<String>of())));
    }
    return new Project(seq(columns), rows);
  }

  private static Expression filled(Expression value, DataType from, DataType to) {
    if (DataTypeUtils.equalsIgnoreNullability(from, to)) {
      return value;
    } else if (from instanceof StructType given && to instanceof StructType wanted) {
      return struct(value, given, wanted);
    } else if (Cast.canUpCast(from, to) || !Cast.canAnsiCast(from, to)) {
      return value; // for Spark to cast, or to refuse
    }
    return new Cast(value, to, Option.apply(SQLConf.get().sessionLocalTimeZone()), EvalMode.ANSI());
  }

  private static Expression struct(Expression value, StructType given, StructType wanted) {
    List<Expression> fields = new ArrayList<>();
    for (int i = 0; i < wanted.length(); i++) {
      DataType type = wanted.apply(i).dataType();
      int index = index(given, wanted.apply(i).name());
      fields.add(
          Literal.create(wanted.apply(i).name(), org.apache.spark.sql.types.DataTypes.StringType));
      fields.add(
          index < 0
              ? Literal.create(null, type)
              : filled(
                  new GetStructField(value, index, Option.empty()),
                  given.apply(index).dataType(),
                  type));
    }
    Expression whole = new CreateNamedStruct(seq(fields));
    return value.nullable()
        ? new If(new IsNull(value), Literal.create(null, whole.dataType()), whole)
        : whole;
  }

  private static int index(StructType type, String name) {
    for (int i = 0; i < type.length(); i++) {
      if ((boolean) SQLConf.get().resolver().apply(type.apply(i).name(), name)) {
        return i;
      }
    }
    return -1;
  }

  /** Turns rows into rows of the table, each valid until the next. To be called in a task. */
  Function<InternalRow, InternalRow> inTask() {
    Function<InternalRow, InternalRow> whole = Function.identity();
    for (Step step : steps) {
      whole = whole.andThen(step.projection()::apply);
    }
    return whole;
  }
}
