package io.obelus.spark.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.objects.AssertNotNull;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeRows;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * Rows made of a join's and spread over the tasks of a write. If they have the keys by which a
 * {@link KeyedJoin} looks rows up, they are where the write wants them as soon as the source is
 * spread by these keys, and need not be shuffled again:
 *
 * <pre>
 *   RepartitionByExpression id → task        MergeRows
 *     MergeRows                                lookup by key(s.id)
 *       Join t.id = s.id              →          RepartitionByExpression s.id → task
 *         t                                        s
 *         s
 * </pre>
 *
 * @param made what makes the rows of the join's, top down: projections, a MERGE's choice
 */
record SpreadRows(RepartitionByExpression spread, List<LogicalPlan> made, Join join) {

  /** Empty if they are made in another way. */
  static Optional<SpreadRows> of(RepartitionByExpression spread) {
    return join(spread.child())
        .map(join -> new SpreadRows(spread, above(join, spread.child()), join));
  }

  /** The join that rows are made of; empty if there is none, or more between than is looked at. */
  static Optional<Join> join(LogicalPlan rows) {
    LogicalPlan plan = rows;
    while (plan instanceof MergeRows || plan instanceof Project) {
      plan = child(plan);
    }
    return plan instanceof Join join ? Optional.of(join) : Optional.empty();
  }

  private static List<LogicalPlan> above(Join join, LogicalPlan rows) {
    List<LogicalPlan> made = new ArrayList<>();
    for (LogicalPlan plan = rows; plan != join; plan = child(plan)) {
      made.add(plan);
    }
    return made;
  }

  private static LogicalPlan child(LogicalPlan plan) {
    return list(plan.children()).get(0);
  }

  /** The rows by lookup; empty if it is not plain to see that they have the keys looked up. */
  Optional<LogicalPlan> lookedUp() {
    return KeyedJoin.of(join).filter(this::keepsKeys).flatMap(this::lookedUp);
  }

  private boolean keepsKeys(KeyedJoin keyed) {
    return list(spread.partitionExpressions()).stream()
        .flatMap(part -> list(part.references().toSeq()).stream())
        .allMatch(
            column ->
                keyed.key(column.name()).isPresent()
                    && values(column, 0).allMatch(value -> keyed.isKey(value, column.name())));
  }

  /** What a column of {@code made.get(level)} may be, over the columns of the join. */
  private Stream<Expression> values(Expression column, int level) {
    Expression plain = column instanceof AssertNotNull sure ? sure.child() : column;
    if (!(plain instanceof Attribute attribute) || level == made.size()) {
      return Stream.of(plain);
    }
    return made.get(level) instanceof MergeRows merge
        ? rows(merge).flatMap(row -> values(row.get(index(merge, attribute)), level + 1))
        : values(projected((Project) made.get(level), attribute), level + 1);
  }

  private static int index(MergeRows merge, Attribute column) {
    return list(merge.output()).stream().map(Attribute::exprId).toList().indexOf(column.exprId());
  }

  private static Stream<List<Expression>> rows(MergeRows merge) {
    return Stream.of(merge.matchedInstructions(), merge.notMatchedInstructions())
        .flatMap(instructions -> list(instructions).stream())
        .flatMap(instruction -> list(instruction.outputs()).stream())
        .map(SpreadRows::list);
  }

  private static Expression projected(Project project, Attribute column) {
    for (NamedExpression expression : list(project.projectList())) {
      if (expression instanceof Alias alias && alias.exprId().equals(column.exprId())) {
        return alias.child();
      }
    }
    return column;
  }

  private Optional<LogicalPlan> lookedUp(KeyedJoin keyed) {
    List<Expression> bySource =
        list(spread.partitionExpressions()).stream().map(part -> ofKeys(part, keyed)).toList();
    return keyed
        .lookedUp(
            source ->
                spread.copy(
                    seq(bySource),
                    source,
                    spread.optNumPartitions(),
                    spread.optAdvisoryPartitionSize()))
        .map(this::onTop);
  }

  private static Expression ofKeys(Expression part, KeyedJoin keyed) {
    return (Expression)
        part.transformUp(
            new Replacement<>(
                Attribute.class::isInstance,
                column -> keyed.key(((Attribute) column).name()).orElseThrow()));
  }

  private LogicalPlan onTop(LogicalPlan rows) {
    LogicalPlan plan = rows;
    for (int level = made.size() - 1; level >= 0; level--) {
      plan = (LogicalPlan) made.get(level).withNewChildren(seq(List.of(plan)));
    }
    return plan;
  }

  private static <T> List<T> list(Seq<T> elements) {
    return JavaConverters.seqAsJavaList(elements);
  }

  private static <T> Seq<T> seq(List<T> elements) {
    return JavaConverters.asScalaBuffer(elements).toList();
  }
}
