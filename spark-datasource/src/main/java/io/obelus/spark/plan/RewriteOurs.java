package io.obelus.spark.plan;

import io.obelus.spark.ObelusTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.analysis.EliminateSubqueryAliases$;
import org.apache.spark.sql.catalyst.analysis.ResolveRowLevelCommandAssignments$;
import org.apache.spark.sql.catalyst.analysis.RewriteDeleteFromTable$;
import org.apache.spark.sql.catalyst.analysis.RewriteMergeIntoTable$;
import org.apache.spark.sql.catalyst.analysis.RewriteUpdateTable$;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.UpdateTable;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.collection.JavaConverters;

/**
 * Lets Spark's own rules rewrite a {@code DELETE}, {@code UPDATE} or {@code MERGE} of a table of
 * ours as soon as it is resolved, which they would do a little later anyway.
 *
 * <p>Meanwhile the rules of other extensions get to see it, and those of Iceberg from 1.10 on take
 * every table for theirs: {@code scala.MatchError}. Rules run in the order in which extensions are
 * listed, so this helps where ours is listed before. And Spark itself puts a projection over a
 * table with CHAR columns, which its rules then do not know as a table.
 */
public final class RewriteOurs extends Rule<LogicalPlan> {

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (plan instanceof DeleteFromTable delete && ofOurs(delete.table()) != null) {
      return delete.condition().equals(Literal.TrueLiteral())
          ? delete.copy(withoutChars(ofOurs(delete.table())), delete.condition())
          : RewriteDeleteFromTable$.MODULE$.apply(delete);
    } else if (plan instanceof UpdateTable update && ofOurs(update.table()) != null) {
      return RewriteUpdateTable$.MODULE$.apply(aligned(update));
    } else if (plan instanceof MergeIntoTable merge && ofOurs(merge.targetTable()) != null) {
      return RewriteMergeIntoTable$.MODULE$.apply(aligned(merge));
    }
    return plan;
  }

  /** The relation of a table of ours; null if it is no such thing. */
  private static DataSourceV2Relation ofOurs(LogicalPlan target) {
    return EliminateSubqueryAliases$.MODULE$.apply(target) instanceof DataSourceV2Relation relation
            && relation.table() instanceof ObelusTable
        ? relation
        : null;
  }

  private static LogicalPlan aligned(LogicalPlan plan) {
    return ResolveRowLevelCommandAssignments$.MODULE$.apply(plan);
  }

  /** The same relation, all of whose texts are STRINGs for those who look at its columns only. */
  private static DataSourceV2Relation withoutChars(DataSourceV2Relation relation) {
    List<AttributeReference> columns = new ArrayList<>();
    for (AttributeReference column : JavaConverters.seqAsJavaList(relation.output())) {
      columns.add(CharVarcharUtils.cleanAttrMetadata(column));
    }
    return relation.copy(
        relation.table(),
        JavaConverters.asScalaBuffer(columns).toSeq(),
        relation.catalog(),
        relation.identifier(),
        relation.options());
  }
}
