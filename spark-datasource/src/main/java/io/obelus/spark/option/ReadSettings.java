package io.obelus.spark.option;

import io.obelus.core.file.data.DataFiles.BatchSettings;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import java.util.Locale;
import org.apache.spark.sql.internal.SQLConf;

/**
 * How a read goes about it, decided once per statement.
 *
 * @param levelZero what becomes of level-0 files that another writer left
 * @param vectorized whether Spark gets column batches; else rows, from the same batches
 * @param batches size and place of the batches
 */
public record ReadSettings(LevelZero levelZero, boolean vectorized, BatchSettings batches) {

  /** {@code merge} (default), {@code skip} or {@link #TOP_ONLY}. */
  public static final String LEVEL_ZERO = "scan.level-0";

  /** Not only level 0 but every level below the highest is left out. */
  public static final String TOP_ONLY = "top-only";

  /** {@code true} (default) or {@code false}. */
  public static final String VECTORIZED = "read.vectorized";

  /** Most rows of a batch; default {@code spark.sql.parquet.columnarReaderBatchSize}. */
  public static final String BATCH_SIZE = "read.batch-size";

  /** Reads the settings; IllegalArgumentException names an option with a wrong value. */
  public static ReadSettings of(StatementOptions options) {
    SQLConf conf = SQLConf.get();
    int capacity = options.number(BATCH_SIZE, conf.parquetVectorizedReaderBatchSize(), 1, 1 << 18);
    return new ReadSettings(
        levelZero(options),
        options.flag(VECTORIZED, true),
        new BatchSettings(capacity, conf.offHeapColumnVectorEnabled()));
  }

  private static LevelZero levelZero(StatementOptions options) {
    String value = options.get(LEVEL_ZERO).orElse("merge");
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "merge" -> LevelZero.MERGE;
      case "skip" -> LevelZero.SKIP;
      case TOP_ONLY -> LevelZero.TOP_ONLY;
      default -> throw StatementOptions.bad(LEVEL_ZERO, value, "merge, skip or top-only");
    };
  }
}
