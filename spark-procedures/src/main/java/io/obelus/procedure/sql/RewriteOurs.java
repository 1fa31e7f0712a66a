package io.obelus.procedure.sql;

import io.obelus.spark.ObelusTable;
import org.apache.spark.sql.catalyst.analysis.EliminateSubqueryAliases$;
import org.apache.spark.sql.catalyst.analysis.ResolveRowLevelCommandAssignments$;
import org.apache.spark.sql.catalyst.analysis.RewriteMergeIntoTable$;
import org.apache.spark.sql.catalyst.analysis.RewriteUpdateTable$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.UpdateTable;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/**
 * Lets Spark's own rules rewrite an {@code UPDATE} or {@code MERGE} of a table of ours as soon as
 * it is resolved, which they would do a little later anyway.
 *
 * <p>Meanwhile the rules of other extensions get to see it, and those of Iceberg from 1.10 on take
 * every table for theirs: {@code scala.MatchError}. Rules run in the order in which extensions are
 * listed, so this helps where ours is listed before.
 */
public final class RewriteOurs extends Rule<LogicalPlan> {

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!isOfOurs(plan)) {
      return plan;
    }
    LogicalPlan aligned = ResolveRowLevelCommandAssignments$.MODULE$.apply(plan);
    return RewriteMergeIntoTable$.MODULE$.apply(RewriteUpdateTable$.MODULE$.apply(aligned));
  }

  private static boolean isOfOurs(LogicalPlan plan) {
    LogicalPlan target = null;
    if (plan instanceof UpdateTable update) {
      target = update.table();
    } else if (plan instanceof MergeIntoTable merge) {
      target = merge.targetTable();
    }
    return target != null
        && EliminateSubqueryAliases$.MODULE$.apply(target) instanceof DataSourceV2Relation relation
        && relation.table() instanceof ObelusTable;
  }
}
