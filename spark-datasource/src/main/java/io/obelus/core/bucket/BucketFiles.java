package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileColumns;
import io.obelus.core.file.data.DataFileSettings;
import io.obelus.core.file.data.DataFileWriter;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.data.FileSchemas;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.file.deletion.DeletionFiles;
import io.obelus.core.file.index.FileIndexSettings;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.Storage;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import java.io.Serializable;

/**
 * Where and how the files of a table's buckets are read and written. Thread-safe.
 *
 * @param schemaId schema that new files are written with
 * @param indexes that new files get
 * @param deletionCoding how bitmaps are kept; null in a merge-on-read table
 */
public record BucketFiles(
    DataFiles dataFiles,
    DeletionFiles deletionFiles,
    FileSchemas schemas,
    long schemaId,
    DataFileSettings settings,
    FileIndexSettings indexes,
    DeletionCoding deletionCoding)
    implements Serializable {

  /** The same, with these indexes in new files. */
  public BucketFiles withIndexes(FileIndexSettings others) {
    return new BucketFiles(
        dataFiles, deletionFiles, schemas, schemaId, settings, others, deletionCoding);
  }

  /**
   * Refuses to rewrite files without their bitmaps: that would bring back what was struck out.
   *
   * @throws IllegalArgumentException if the bucket has bitmaps and the table is not to have any
   */
  void checkBitmaps(BucketState bucket) {
    boolean struckOut = bucket.deletions().stream().anyMatch(file -> file.bitmaps() > 0);
    if (deletionCoding == null && struckOut) {
      throw new IllegalArgumentException(
          "%s has deletion bitmaps (%s), but the table's option 'deletion-vectors.enabled' is not true: rows that were deleted would come back; set it to true again"
              .formatted(bucket.directory(), bucket.deletions().get(0).name()));
    }
  }

  /** Starts files of a bucket; {@code source} as {@link DataFile#source} has it. */
  DataFileWriter newFiles(String directory, DataFileColumns columns, int source) {
    Storage storage = dataFiles.storage();
    return new DataFileWriter(
        storage,
        directory,
        columns,
        schemaId,
        source,
        settings,
        IndexCompanion.factory(storage, indexes));
  }

  /** What to ask of one data file in order to read {@code columns} of its selected rows. */
  DataFiles.Request request(
      BucketState bucket, DataFile file, RowType columns, RowSelection rows, Predicate condition) {
    return new DataFiles.Request(
        file.path(bucket.directory()), schemas.rowType(file.schemaId()), columns, rows, condition);
  }
}
