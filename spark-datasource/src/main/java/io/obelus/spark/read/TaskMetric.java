package io.obelus.spark.read;

import java.util.Arrays;
import org.apache.spark.sql.connector.metric.CustomMetric;

/** What the tasks of a scan count, by the name of each number and as people see it. */
enum TaskMetric {
  FILES_READ("obelusFilesRead", "data files read"),
  FILES_NOT_OPENED("obelusFilesNotOpened", "data files not opened: no row left"),
  FILES_FROM_INDEXES("obelusFilesFromIndexes", "files answered by their indexes"),
  ROWS_STRUCK_OUT("obelusRowsStruckOut", "rows struck out"),
  ROWS_LEFT_OUT("obelusRowsLeftOut", "rows left out by file indexes"),
  ROWS_LEFT_OUT_BY_BITMAP("obelusRowsLeftOutByBitmap", "rows left out by bitmap indexes"),
  ROWS_LEFT_OUT_BY_BSI("obelusRowsLeftOutByBsi", "rows left out by bsi indexes"),
  ROWS_LEFT_OUT_BY_RANGE_BITMAP(
      "obelusRowsLeftOutByRangeBitmap", "rows left out by range-bitmap indexes"),
  ROWS_LEFT_OUT_BY_BLOOM_FILTER(
      "obelusRowsLeftOutByBloomFilter", "rows left out by bloom-filter indexes"),
  INDEX_ANSWERS_NOT_USED("obelusIndexAnswersNotUsed", "index answers not used: too many rows"),
  PAGES_READ("obelusPagesRead", "pages read"),
  PAGES_SKIPPED("obelusPagesSkipped", "pages skipped"),
  DATA_BYTES_READ("obelusDataBytesRead", "bytes read of data files"),
  INDEX_BYTES_READ("obelusIndexBytesRead", "bytes read of index files");

  private final String id;
  private final String text;

  TaskMetric(String id, String text) {
    this.id = id;
    this.text = text;
  }

  /** The name that Spark knows it by. */
  String id() {
    return id;
  }

  /** These metrics as Spark wants them. */
  static CustomMetric[] all(TaskMetric... metrics) {
    return Arrays.stream(metrics)
        .map(metric -> new ScanMetric(metric.id, metric.text))
        .toArray(CustomMetric[]::new);
  }
}
