package io.obelus.spark.plan;

import io.obelus.spark.ObelusTable;
import org.apache.spark.sql.catalyst.analysis.NamedRelation;
import org.apache.spark.sql.catalyst.plans.logical.AppendData;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.WriteDelta;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown$;
import org.apache.spark.sql.execution.datasources.v2.V2Writes$;
import scala.runtime.AbstractPartialFunction;

/**
 * Lets a MERGE find the rows of its target by key, where Spark's plan reads and shuffles the keys
 * of the whole table to join them: see {@link KeyedJoin} and {@link SpreadRows}.
 *
 * <p>That is decided when conditions are in the scan and the write has said how its rows are to be
 * spread. Spark's own rules see to both; they run here a little earlier than they would, as Spark
 * has no place for rules after them. {@code spark.sql.optimizer.excludedRules} with the name of
 * this class brings the join back.
 */
public final class LookUpKeys extends Rule<LogicalPlan> {

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return isMergeOfOurs(plan)
        ? withLookup(V2Writes$.MODULE$.apply(V2ScanRelationPushDown$.MODULE$.apply(plan)))
        : plan;
  }

  /** Spark makes an append of a MERGE that only inserts. */
  private static boolean isMergeOfOurs(LogicalPlan plan) {
    if (plan instanceof WriteDelta write) {
      return isOurs(write.originalTable()) && SpreadRows.join(write.query()).isPresent();
    }
    return plan instanceof AppendData append
        && isOurs(append.table())
        && SpreadRows.join(append.query()).filter(KeyedJoin::isAnti).isPresent();
  }

  private static boolean isOurs(NamedRelation table) {
    return table instanceof DataSourceV2Relation relation
        && relation.table() instanceof ObelusTable;
  }

  private static LogicalPlan withLookup(LogicalPlan plan) {
    return (LogicalPlan)
        plan.transformDown(
            new AbstractPartialFunction<LogicalPlan, LogicalPlan>() {
              @Override
              public boolean isDefinedAt(LogicalPlan node) {
                return node instanceof RepartitionByExpression;
              }

              @Override
              public LogicalPlan apply(LogicalPlan node) {
                return SpreadRows.of((RepartitionByExpression) node)
                    .flatMap(SpreadRows::lookedUp)
                    .orElse(node);
              }
            });
  }
}
