package io.obelus.core.table.snapshot;

import io.obelus.core.bucket.BucketFiles;
import io.obelus.core.bucket.KeyedBucket;
import io.obelus.core.bucket.RowShape;
import io.obelus.core.bucket.merge.Deduplicate;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.index.FileIndexSettings;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;

/** Says in the terms of buckets what a table's schema and options ask for. */
public final class TableBuckets {

  private TableBuckets() {}

  /**
   * Where and how files of the table's buckets are read and written. Which indexes new files get is
   * left to the writer: a reader need not know all kinds.
   */
  public static BucketFiles files(Table table, DataFiles.BatchSettings batches) {
    TableOptions options = table.options();
    return new BucketFiles(
        new DataFiles(table.storage(), batches),
        table.deletionFiles(),
        table.fileSchemas(),
        table.schema().id(),
        options.dataFileSettings(),
        FileIndexSettings.NONE,
        options.deletionCoding().orElse(null));
  }

  /** The buckets of a keyed table; the only merge engine so far is deduplicate. */
  public static KeyedBucket keyed(Table table, DataFiles.BatchSettings batches) {
    TableOptions options = table.options();
    options.checkReadable();
    return new KeyedBucket(files(table, batches), shape(table), new Deduplicate());
  }

  private static RowShape shape(Table table) {
    TableSchema schema = table.schema();
    TableOptions options = table.options();
    return new RowShape(
        schema.rowType(),
        schema.rowType().indexesOf(schema.trimmedPrimaryKeys()),
        schema.rowType().indexesOf(options.sequenceFields()),
        options.sequenceDescending());
  }
}
