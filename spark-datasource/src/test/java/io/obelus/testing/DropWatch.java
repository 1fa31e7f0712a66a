package io.obelus.testing;

import java.io.IOException;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.plans.logical.DropNamespace;
import org.apache.spark.sql.catalyst.plans.logical.DropTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ReplaceTable;
import org.apache.spark.sql.catalyst.plans.logical.ReplaceTableAsSelect;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** An extension of a session: has tables looked at before a statement makes some disappear. */
public final class DropWatch extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectCheckRule(session -> DropWatch::look);
    return BoxedUnit.UNIT;
  }

  private static BoxedUnit look(LogicalPlan plan) {
    if (plan.exists(DropWatch::drops)) {
      try {
        WholeTables.look();
      } catch (IOException | AssertionError e) { // Spark calls an AssertionError a bug of its own
        throw new IllegalStateException("before " + plan.nodeName() + ": " + e.getMessage(), e);
      }
    }
    return BoxedUnit.UNIT;
  }

  private static boolean drops(LogicalPlan plan) {
    return plan instanceof DropTable
        || plan instanceof DropNamespace
        || plan instanceof ReplaceTable
        || plan instanceof ReplaceTableAsSelect;
  }
}
