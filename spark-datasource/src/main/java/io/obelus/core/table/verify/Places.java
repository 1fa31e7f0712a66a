package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.schema.PartitionPath;
import io.obelus.core.table.snapshot.Table;

/** Where the files of a table are. */
record Places(Table table, PartitionPath partitions) {

  static Places of(Table table) {
    return new Places(table, new PartitionPath(table.schema()));
  }

  /** IllegalArgumentException if the partition is not a row of the table's partition columns. */
  Where of(BucketId bucket) {
    return Where.bucket(partitions.of(bucket.partition()), bucket.bucket());
  }

  String directory(BucketId bucket) {
    return table.directory().bucket(partitions.of(bucket.partition()), bucket.bucket());
  }

  Where of(BucketId bucket, DataFile file) {
    return of(bucket).in(file.path(directory(bucket)));
  }

  Where of(IndexEntry entry) {
    String path =
        entry.externalPath() != null
            ? entry.externalPath()
            : table.directory().index(entry.fileName());
    return of(entry.bucket()).in(path);
  }

  Where manifest(String name) {
    return Where.file(table.directory().manifest(name));
  }
}
