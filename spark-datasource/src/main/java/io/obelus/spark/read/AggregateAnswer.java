package io.obelus.spark.read;

import io.obelus.core.table.scan.AggregateReader;
import io.obelus.core.table.scan.Aggregates;
import io.obelus.core.table.scan.ScanFilter;
import io.obelus.core.table.scan.ScanPlan;
import io.obelus.core.table.scan.Split;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.ReadSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.read.Scan;

/**
 * How a scan answers aggregates: {@code COUNT(*)} from metadata where that is exact, others by
 * indexes where they tell, those of few files at once.
 *
 * @param question what Spark asked
 * @param scan what answers it; null if rows must be read
 * @param isWhole whether each group comes once, so that nobody need add them up
 */
record AggregateAnswer(Aggregation question, Scan scan, boolean isWhole) {

  /**
   * The answer of a table.
   *
   * @param plan of the filter's condition
   * @param rowCount exact number of rows, where metadata tells it
   */
  static AggregateAnswer of(
      Aggregation question,
      Table table,
      ScanPlan plan,
      ScanFilter filter,
      OptionalLong rowCount,
      ReadSettings settings) {
    if (isCount(question) && rowCount.isPresent()) {
      int times = question.aggregateExpressions().length;
      Scan count = new CountScan(table.name(), rowCount.getAsLong(), times);
      return new AggregateAnswer(question, count, true);
    }
    Optional<Aggregates> asked = PushedAggregates.of(table, question);
    if (asked.isEmpty() || !plan.isIndexed()) {
      return new AggregateAnswer(question, null, false);
    }
    AggregateScan scan = new AggregateScan(table, plan, asked.get(), filter, settings.batches());
    return told(table, plan, asked.get(), filter, settings)
        .map(rows -> new AggregateAnswer(question, new ToldAggregates(scan, rows), true))
        .orElseGet(() -> new AggregateAnswer(question, scan, false));
  }

  private static boolean isCount(Aggregation question) {
    return question.groupByExpressions().length == 0
        && Arrays.stream(question.aggregateExpressions()).allMatch(CountStar.class::isInstance);
  }

  private static Optional<List<InternalRow>> told(
      Table table, ScanPlan plan, Aggregates asked, ScanFilter filter, ReadSettings settings) {
    Optional<Split> files = plan.fewWholeFiles();
    if (files.isEmpty() || !asked.comparesGroups()) {
      return Optional.empty();
    }
    try (AggregateReader reader =
        new AggregateReader(table, asked, filter, settings.batches(), files.get())) {
      return reader.fromIndexes();
    } catch (IOException e) {
      throw new UncheckedIOException("indexes of " + table.name() + " could not be read", e);
    }
  }
}
