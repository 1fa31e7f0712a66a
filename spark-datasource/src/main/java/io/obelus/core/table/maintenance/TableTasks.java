package io.obelus.core.table.maintenance;

import io.obelus.core.bucket.AppendSettings;
import io.obelus.core.bucket.AppendTasks;
import io.obelus.core.bucket.BucketTasks;
import io.obelus.core.bucket.CompactionSettings;
import io.obelus.core.bucket.KeyedTasks;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;

/** Gives the buckets of a table what they need of its schema and options. */
public final class TableTasks {

  private TableTasks() {}

  /**
   * The work on buckets of {@code table}, keyed or append; what cannot be done is refused by name.
   */
  public static BucketTasks of(Table table) {
    TableOptions options = table.options();
    options.checkWritable();
    if (!table.schema().keyed()) {
      return new AppendTasks(
          TableBuckets.files(table, DataFiles.BatchSettings.DEFAULT)
              .withIndexes(options.fileIndexes()),
          table.schema().rowType(),
          new AppendSettings(
              options.compactionMinFiles(),
              options.dataFileSettings().targetSize(),
              options.compactionMostStruckOut()));
    }
    return new KeyedTasks(
        TableBuckets.keyed(table, DataFiles.BatchSettings.DEFAULT)
            .withIndexes(options.fileIndexes()),
        settings(options),
        options.ignoreDelete());
  }

  private static CompactionSettings settings(TableOptions options) {
    return new CompactionSettings(
        options.compactionTrigger(),
        options.levels(),
        options.sizeRatio(),
        options.maxSizeAmplification(),
        options.dataFileSettings().targetSize(),
        options.writeOnly());
  }
}
