package io.obelus.procedure;

import io.obelus.procedure.sql.CallParser;
import io.obelus.procedure.sql.DifferenceFunction;
import io.obelus.spark.plan.LookUpKeys;
import io.obelus.spark.plan.RewriteOurs;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Teaches a session {@code CALL}, {@code INSERT} with some of the columns, {@code ANALYZE TABLE},
 * and the table functions of {@link DifferenceFunction}: {@code
 * spark.sql.extensions=io.obelus.procedure.ObelusExtensions}. Nothing else of Obelus needs it; a
 * {@code MERGE} by key is faster with it.
 *
 * <p>If there are others, its place in the list matters. The parser of the last one sees a
 * statement first, and Paimon's claims every {@code CALL} whose procedure has a name that it knows;
 * ours claims only those of our own catalogs. Rules run in the order of the list, and those of
 * Iceberg fail at tables of others: see {@link RewriteOurs}. So: after Paimon's, before Iceberg's.
 */
public final class ObelusExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectParser(
        new AbstractFunction2<SparkSession, ParserInterface, ParserInterface>() {
          @Override
          public ParserInterface apply(SparkSession session, ParserInterface delegate) {
            return new CallParser(session, delegate);
          }
        });
    extensions.injectResolutionRule(
        new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
          @Override
          public Rule<LogicalPlan> apply(SparkSession session) {
            return new RewriteOurs();
          }
        });
    extensions.injectPreCBORule(
        new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
          @Override
          public Rule<LogicalPlan> apply(SparkSession session) {
            return new LookUpKeys();
          }
        });
    DifferenceFunction.inject(extensions);
    return BoxedUnit.UNIT;
  }
}
