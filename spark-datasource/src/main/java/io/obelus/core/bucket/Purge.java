package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileWriter;
import io.obelus.core.file.deletion.DeletionFile;
import java.io.IOException;
import java.util.List;

/**
 * Rewrites files of a keyed bucket without their struck-out rows, each at its own level: its keys
 * stay within the range that they had, so no other file is touched. Not thread-safe.
 *
 * <p>Files from before deletion bitmaps were switched on are left alone: by their schema it is told
 * that they still have to be merged, and a new file would have a newer one.
 */
final class Purge {

  private final KeyedBucket keyed;
  private final BucketState bucket;
  private final BucketEdit edit;

  Purge(KeyedBucket keyed, BucketState bucket) {
    this.keyed = keyed;
    this.bucket = bucket;
    this.edit = new BucketEdit(keyed.files().dataFiles().storage(), bucket);
  }

  /**
   * Does it.
   *
   * @param threshold share of struck-out rows, 0 to 1, above which a file is rewritten
   */
  BucketChange run(double threshold) throws IOException {
    keyed.files().checkBitmaps(bucket);
    BucketDeletions deletions = BucketDeletions.of(keyed.files(), bucket);
    try {
      boolean rewritten = false;
      for (DataFile file : bucket.files()) {
        boolean due = deletions.count(file) > threshold * file.rowCount();
        if (due && keyed.files().schemas().deletionBitmaps(file.schemaId())) {
          rewrite(file, deletions);
          rewritten = true;
        }
      }
      DeletionFile written = rewritten ? deletions.write() : null;
      return edit.change(written, List.of(), 0, false, bucket.totalBuckets());
    } catch (IOException | RuntimeException e) {
      edit.undo();
      throw e;
    }
  }

  private void rewrite(DataFile file, BucketDeletions deletions) throws IOException {
    List<DataFile> outputs;
    Section alone = new Section(List.of(List.of(file)));
    try (DataFileWriter writer = keyed.newFiles(bucket, DataFile.SOURCE_COMPACT);
        MergeReader rows =
            keyed.merge(keyed.shape().row(), alone, keyed.opener(bucket, deletions::live))) {
      while (rows.next()) {
        writer.write(rows.record().row(), rows.record().sequence(), rows.record().kind());
      }
      outputs = writer.finish(file.level());
    }
    long after = outputs.stream().mapToLong(DataFile::rowCount).sum();
    outputs.forEach(edit::create);
    edit.rewrote(file.size(), file.rowCount() - after);
    edit.remove(file);
    deletions.drop(file);
  }
}
