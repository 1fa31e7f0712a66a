package io.obelus.spark.plan;

import io.obelus.spark.read.ObelusScan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MonotonicallyIncreasingID;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import scala.collection.JavaConverters;

/**
 * What projections and filters make of a scan of ours, said in terms of its columns. These are
 * named anew, so that the rows can come from elsewhere; a row's {@link #number} takes the place of
 * the numbers that Spark gives to rows as they come.
 */
final class ScannedColumns {

  private final ObelusScan scan;
  private final List<Attribute> columns = new ArrayList<>();
  private final Attribute number = attribute("number", DataTypes.LongType, false);
  private final Map<ExprId, Expression> meanings = new HashMap<>();
  private final List<Expression> conditions = new ArrayList<>();

  private ScannedColumns(ObelusScan scan, DataSourceV2ScanRelation relation) {
    this.scan = scan;
    for (AttributeReference column : JavaConverters.seqAsJavaList(relation.output())) {
      Attribute renamed = attribute(column.name(), column.dataType(), column.nullable());
      columns.add(renamed);
      meanings.put(column.exprId(), renamed);
    }
  }

  private static Attribute attribute(String name, DataType type, boolean nullable) {
    return new AttributeReference(
        name,
        type,
        nullable,
        Metadata.empty(),
        NamedExpression$.MODULE$.newExprId(),
        JavaConverters.asScalaBuffer(List.<String>of()).toList());
  }

  /** Empty if the plan is anything else than projections and filters of a scan of ours. */
  static Optional<ScannedColumns> of(LogicalPlan plan) {
    if (plan instanceof DataSourceV2ScanRelation relation
        && relation.scan() instanceof ObelusScan scan) {
      return Optional.of(new ScannedColumns(scan, relation));
    } else if (plan instanceof Filter filter) {
      Optional<ScannedColumns> below = of(filter.child());
      below.ifPresent(known -> known.conditions.add(known.meaning(filter.condition())));
      return below;
    } else if (plan instanceof Project project) {
      Optional<ScannedColumns> below = of(project.child());
      below.ifPresent(known -> known.add(JavaConverters.seqAsJavaList(project.projectList())));
      return below;
    }
    return Optional.empty();
  }

  private void add(List<NamedExpression> projected) {
    for (NamedExpression expression : projected) {
      if (expression instanceof Alias alias) {
        meanings.put(alias.exprId(), meaning(alias.child()));
      }
    }
  }

  ObelusScan scan() {
    return scan;
  }

  /** The columns of the scan, under their new names. */
  List<Attribute> columns() {
    return columns;
  }

  /** What tells rows of the scan apart. */
  Attribute number() {
    return number;
  }

  /** What must be true of a row for the filters to let it through. */
  List<Expression> conditions() {
    return conditions;
  }

  /** An expression over the plan's columns as one over {@link #columns} and {@link #number}. */
  Expression meaning(Expression expression) {
    return (Expression)
        expression.transformUp(
            new Replacement<>(
                part ->
                    part instanceof MonotonicallyIncreasingID
                        || (part instanceof Attribute column
                            && meanings.containsKey(column.exprId())),
                part -> part instanceof Attribute column ? meanings.get(column.exprId()) : number));
  }
}
