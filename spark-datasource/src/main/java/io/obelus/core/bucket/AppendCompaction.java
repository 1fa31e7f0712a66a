package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileColumns;
import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.DataFileWriter;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.data.PositionedBatch;
import io.obelus.core.row.Predicate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Rewrites files of an append bucket one behind the other: small files become large ones,
 * struck-out rows stay behind, the rows keep their order. Not thread-safe.
 *
 * <p>The files of a fixed bucket are in the order of their sequence numbers, which a new file takes
 * over from those it is made of. So only neighbours are merged there; in an unaware bucket files
 * have no order among each other.
 *
 * <p>Memory: one batch, what the writer holds, and the bucket's bitmaps.
 */
final class AppendCompaction {

  @FunctionalInterface
  private interface Candidate {
    boolean test(DataFile file);
  }

  private final AppendTasks tasks;
  private final BucketState bucket;
  private final BucketDeletions bitmaps;
  private final BucketEdit edit;

  AppendCompaction(AppendTasks tasks, BucketState bucket) throws IOException {
    this.tasks = tasks;
    this.bucket = bucket;
    tasks.files().checkBitmaps(bucket);
    this.bitmaps = BucketDeletions.of(tasks.files(), bucket);
    this.edit = new BucketEdit(tasks.files().dataFiles().storage(), bucket);
  }

  /** Merges small files and drops all struck-out rows. */
  BucketChange full() throws IOException {
    return rewrite(groups(file -> isSmall(file) || bitmaps.has(file), 2, 0));
  }

  /** As the settings say when files are due. */
  BucketChange minor() throws IOException {
    double most = tasks.settings().mostStruckOut();
    int least = Math.max(2, tasks.settings().minFiles()); // one file would be rewritten for ever
    return rewrite(groups(file -> isSmall(file) || share(file) > most, least, most));
  }

  /** Rewrites, each by itself, the files of which more than this share of rows is struck out. */
  BucketChange purge(double threshold) throws IOException {
    return rewrite(
        bucket.files().stream()
            .filter(file -> share(file) > threshold)
            .map(file -> List.of(file))
            .toList());
  }

  private boolean isSmall(DataFile file) {
    return tasks.settings().isSmall(file);
  }

  private double share(DataFile file) {
    return (double) bitmaps.count(file) / Math.max(1, file.rowCount());
  }

  /**
   * Files that are rewritten together.
   *
   * @param least a group of fewer files is left alone, unless one of them has to be rewritten for
   *     itself
   * @param mostStruckOut share of struck-out rows above which it has to
   */
  private List<List<DataFile>> groups(Candidate candidate, int least, double mostStruckOut) {
    boolean ordered = bucket.totalBuckets() > 0;
    List<DataFile> files = new ArrayList<>(bucket.files());
    if (ordered) {
      files.sort(Comparator.comparingLong(DataFile::minSequence));
    }
    List<List<DataFile>> groups = new ArrayList<>();
    List<DataFile> group = new ArrayList<>();
    for (DataFile file : files) {
      if (candidate.test(file)) {
        group.add(file);
      } else if (ordered) {
        groups.add(group);
        group = new ArrayList<>();
      }
    }
    groups.add(group);
    List<List<DataFile>> due = new ArrayList<>();
    for (List<DataFile> candidates : groups) {
      if (candidates.size() >= least) {
        due.add(candidates);
      } else {
        candidates.stream()
            .filter(file -> share(file) > mostStruckOut)
            .forEach(file -> due.add(List.of(file)));
      }
    }
    return due;
  }

  private BucketChange rewrite(List<List<DataFile>> groups) throws IOException {
    List<DataFile> inputs = groups.stream().flatMap(List::stream).toList();
    AppendDeletions deletions = AppendDeletions.of(tasks.files(), bucket, inputs);
    try {
      for (List<DataFile> group : groups) {
        rewriteGroup(group, deletions.bitmaps());
      }
      return edit.change(deletions.write(), deletions.replaced(), 0, false, bucket.totalBuckets());
    } catch (IOException | RuntimeException e) {
      edit.undo();
      throw e;
    }
  }

  private void rewriteGroup(List<DataFile> group, BucketDeletions left) throws IOException {
    List<DataFile> outputs;
    try (DataFileWriter writer =
        tasks
            .files()
            .newFiles(
                bucket.directory(),
                new DataFileColumns(tasks.row(), new int[0]),
                DataFile.SOURCE_COMPACT)) {
      for (DataFile file : group) {
        copy(file, writer);
      }
      outputs = writer.finish(0);
    }
    outputs.forEach(edit::create);
    long before = group.stream().mapToLong(DataFile::rowCount).sum();
    long after = outputs.stream().mapToLong(DataFile::rowCount).sum();
    edit.rewrote(group.stream().mapToLong(DataFile::size).sum(), before - after);
    for (DataFile file : group) {
      edit.remove(file);
      left.drop(file);
    }
  }

  private void copy(DataFile file, DataFileWriter writer) throws IOException {
    DataFiles.Request request =
        tasks.files().request(bucket, file, tasks.row(), bitmaps.live(file), Predicate.ALWAYS);
    try (DataFileReader reader = tasks.files().dataFiles().open(request)) {
      for (PositionedBatch batch = reader.next(); batch != null; batch = reader.next()) {
        ColumnarBatch columns = batch.columns();
        for (int i = 0; i < columns.numRows(); i++) {
          writer.append(columns.getRow(i), file.minSequence() + batch.position(i));
        }
      }
    }
  }
}
