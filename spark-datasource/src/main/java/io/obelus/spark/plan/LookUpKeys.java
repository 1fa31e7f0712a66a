package io.obelus.spark.plan;

import io.obelus.spark.ObelusTable;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.AppendData;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.WriteDelta;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown$;
import org.apache.spark.sql.execution.datasources.v2.V2Writes$;
import scala.collection.JavaConverters;

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
      return isOurs((LogicalPlan) write.originalTable())
          && SpreadRows.join(write.query()).isPresent();
    }
    return plan instanceof AppendData append
        && isOurs((LogicalPlan) append.table())
        && SpreadRows.join(append.query())
            .filter(
                join -> KeyedJoin.isAnti(join) && isOf((LogicalPlan) append.table(), join.right()))
            .isPresent();
  }

  private static boolean isOurs(LogicalPlan plan) {
    return plan instanceof DataSourceV2Relation relation && relation.table() instanceof ObelusTable;
  }

  /** Whether a plan reads the very table: rows spread by its buckets are not by another's. */
  private static boolean isOf(LogicalPlan table, LogicalPlan plan) {
    List<LogicalPlan> leaves = JavaConverters.seqAsJavaList(plan.collectLeaves());
    return leaves.size() == 1
        && leaves.get(0) instanceof DataSourceV2Relation read
        && read.table() == ((DataSourceV2Relation) table).table();
  }

  private static LogicalPlan withLookup(LogicalPlan plan) {
    return (LogicalPlan)
        plan.transformDown(
            new Replacement<>(
                RepartitionByExpression.class::isInstance,
                node ->
                    SpreadRows.of((RepartitionByExpression) node)
                        .flatMap(SpreadRows::lookedUp)
                        .orElse(node)));
  }
}
