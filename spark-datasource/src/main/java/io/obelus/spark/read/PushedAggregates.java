package io.obelus.spark.read;

import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.Aggregates;
import io.obelus.core.table.scan.Aggregates.Function;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.snapshot.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;

/**
 * Which aggregates the indexes of a table can tell: numbers of rows of each value of a column with
 * a bitmap index; without groups also numbers of rows in which an indexed column is not null, and
 * the smallest and largest value of a column with a bit-sliced index.
 */
final class PushedAggregates {

  private final RowType columns;
  private final Set<String> bitmaps;
  private final Set<String> numbers;

  private PushedAggregates(Table table) {
    TableOptions options = table.options();
    columns = table.schema().rowType();
    bitmaps = Set.copyOf(options.indexedColumns("bitmap"));
    numbers = Set.copyOf(options.indexedColumns("bsi"));
  }

  /** The aggregates in our terms; empty if the table's indexes do not tell all of them. */
  static Optional<Aggregates> of(Table table, Aggregation aggregation) {
    return table.options().readsFileIndexes()
        ? new PushedAggregates(table).translate(aggregation)
        : Optional.empty();
  }

  private Optional<Aggregates> translate(Aggregation aggregation) {
    Expression[] groups = aggregation.groupByExpressions();
    Column group = groups.length == 1 ? column(groups[0], bitmaps) : null;
    if (groups.length > 1 || (groups.length == 1 && group == null)) {
      return Optional.empty();
    }
    List<Aggregates.Part> parts = new ArrayList<>();
    for (AggregateFunc function : aggregation.aggregateExpressions()) {
      Aggregates.Part part = part(function, group);
      if (part == null) {
        return Optional.empty();
      }
      parts.add(part);
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(new Aggregates(group, parts));
  }

  /** Null if no index tells it. */
  private Aggregates.Part part(AggregateFunc function, Column group) {
    if (function instanceof CountStar) {
      return new Aggregates.Part(Function.COUNT_ROWS, null);
    } else if (function instanceof Count count && !count.isDistinct()) {
      Column column = counted(count.column(), group);
      return column == null ? null : new Aggregates.Part(Function.COUNT, column);
    } else if (group == null && function instanceof Min min) {
      return extreme(Function.MIN, min.column());
    } else if (group == null && function instanceof Max max) {
      return extreme(Function.MAX, max.column());
    }
    return null;
  }

  private Column counted(Expression expression, Column group) {
    Column column = column(expression, bitmaps);
    if (group != null) {
      return group.equals(column) ? column : null;
    }
    return column == null ? column(expression, numbers) : column;
  }

  private Aggregates.Part extreme(Function function, Expression expression) {
    Column column = column(expression, numbers);
    return column == null ? null : new Aggregates.Part(function, column);
  }

  /** Null if the expression is no column of these. */
  private Column column(Expression expression, Set<String> names) {
    if (expression instanceof NamedReference reference && reference.fieldNames().length == 1) {
      String name = reference.fieldNames()[0];
      return names.contains(name) ? columns.column(columns.indexOf(name)) : null;
    }
    return null;
  }
}
