package io.obelus.spark.read;

import io.obelus.core.table.scan.PlanFigures;
import io.obelus.core.table.scan.PlanFigures.Amount;
import io.obelus.core.table.scan.PlanFigures.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** What a plan left out, step by step: in words for EXPLAIN, as metrics for the SQL tab. */
record PlanReport(PlanFigures figures) {

  private static final String SKIPPED = "obelusFilesSkipped";
  private static final String FILES = "obelusFiles";
  private static final String ROWS = "obelusRows";
  private static final String STORED = "Stored";

  /**
   * {@code files 1 of 6, rows 100 of 500, after partition files 3 rows 300, after value statistics
   * files 1 rows 100, bitmaps 1, rows struck out 7}: steps that left out nothing are not named.
   */
  String text() {
    Amount stored = figures.stored();
    String steps =
        Arrays.stream(Step.values())
            .filter(step -> figures.leftOut(step).files() > 0)
            .map(step -> ", after %s files %d rows %d".formatted(step, files(step), rows(step)))
            .collect(Collectors.joining());
    return "files %d of %d, rows %d of %d%s, bitmaps %d, rows struck out %d"
        .formatted(
            figures.files(),
            stored.files(),
            figures.rows() + figures.rowsStruckOut(),
            stored.rows(),
            steps,
            figures.bitmaps(),
            figures.rowsStruckOut());
  }

  private long files(Step step) {
    return figures.after(step).files();
  }

  private long rows(Step step) {
    return figures.after(step).rows();
  }

  /** These and the metrics of tasks, as Spark wants them. */
  static CustomMetric[] metrics(CustomMetric... ofTasks) {
    List<CustomMetric> all = new ArrayList<>(List.of(ofTasks));
    all.add(new ScanMetric(SKIPPED, "data files skipped"));
    all.add(new ScanMetric(FILES + STORED, "data files stored"));
    all.add(new ScanMetric(ROWS + STORED, "rows stored"));
    for (Step step : Step.values()) {
      all.add(new ScanMetric(FILES + after(step), "data files after " + step));
      all.add(new ScanMetric(ROWS + after(step), "rows after " + step));
    }
    return all.toArray(CustomMetric[]::new);
  }

  /** The values of {@link #metrics}. */
  CustomTaskMetric[] values() {
    List<CustomTaskMetric> values = new ArrayList<>();
    values.add(new TaskFigure(SKIPPED, figures.filesSkipped()));
    values.add(new TaskFigure(FILES + STORED, figures.stored().files()));
    values.add(new TaskFigure(ROWS + STORED, figures.stored().rows()));
    for (Step step : Step.values()) {
      values.add(new TaskFigure(FILES + after(step), files(step)));
      values.add(new TaskFigure(ROWS + after(step), rows(step)));
    }
    return values.toArray(CustomTaskMetric[]::new);
  }

  /** {@code AfterKeyStatistics}. */
  private static String after(Step step) {
    return Stream.of(step.toString().split(" "))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining("", "After", ""));
  }
}
