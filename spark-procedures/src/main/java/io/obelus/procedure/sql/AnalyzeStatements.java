package io.obelus.procedure.sql;

import io.obelus.spark.ObelusTable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTableOrView;
import org.apache.spark.sql.catalyst.plans.logical.AnalyzeColumn;
import org.apache.spark.sql.catalyst.plans.logical.AnalyzeTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Option;
import scala.collection.JavaConverters;

/**
 * Lets {@code ANALYZE TABLE} work on a table of ours. Spark 3.5 parses it, but runs it for its own
 * file tables only.
 */
final class AnalyzeStatements {

  private final SparkSession session;

  AnalyzeStatements(SparkSession session) {
    this.session = session;
  }

  /** The command that does it, if it is about a table of ours; else the statement as it was. */
  LogicalPlan ours(LogicalPlan statement) {
    if (statement instanceof AnalyzeTable analyze) {
      ObelusTable table = table(analyze.child());
      if (table != null) {
        if (analyze.noScan() || !analyze.partitionSpec().isEmpty()) {
          throw new IllegalArgumentException(
              "ANALYZE TABLE: %s cannot be had for %s; its size is known without, and statistics are about all of its rows"
                  .formatted(analyze.noScan() ? "NOSCAN" : "PARTITION", table.name()));
        }
        return new AnalyzeCommand(table, Option.empty(), false);
      }
    } else if (statement instanceof AnalyzeColumn analyze) {
      ObelusTable table = table(analyze.child());
      if (table != null) {
        return new AnalyzeCommand(table, analyze.columnNames(), analyze.allColumns());
      }
    }
    return statement;
  }

  /** Null if it is none of ours. */
  private ObelusTable table(LogicalPlan target) {
    if (!(target instanceof UnresolvedTableOrView named)) {
      return null;
    }
    var name = named.multipartIdentifier();
    boolean isView = session.sessionState().catalog().isTempView(name);
    return isView ? null : Catalogs.table(session, JavaConverters.seqAsJavaList(name));
  }
}
