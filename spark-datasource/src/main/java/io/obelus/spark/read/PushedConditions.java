package io.obelus.spark.read;

import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.spark.expression.SparkPredicates;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * What a scan makes of the conditions that Spark pushes down.
 *
 * @param condition ours, which no row fails that all of Spark's take
 * @param understood those of Spark's that say something in it
 */
record PushedConditions(io.obelus.core.row.Predicate condition, List<Predicate> understood) {

  static final PushedConditions NONE =
      new PushedConditions(io.obelus.core.row.Predicate.ALWAYS, List.of());

  /**
   * @param given all of which have to hold
   * @param columns of the table
   */
  static PushedConditions of(Predicate[] given, RowType columns) {
    List<io.obelus.core.row.Predicate> parts = new ArrayList<>();
    List<Predicate> understood = new ArrayList<>();
    for (Predicate condition : given) {
      SparkPredicates.weaker(condition, columns)
          .ifPresent(
              part -> {
                parts.add(part);
                understood.add(condition);
              });
    }
    return new PushedConditions(Predicates.and(parts), understood);
  }
}
