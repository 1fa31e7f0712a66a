package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The deletion bitmaps of an append bucket while some of its files are changed. A bucket of a fixed
 * number of buckets has one deletion file, which is replaced; an unaware bucket has any number, of
 * which only those are replaced that hold a bitmap of the files in question (spec chapter 09). Not
 * thread-safe.
 */
final class AppendDeletions {

  private final BucketDeletions bitmaps;
  private final boolean unaware;
  private final List<String> replaced;

  private AppendDeletions(BucketDeletions bitmaps, boolean unaware, List<String> replaced) {
    this.bitmaps = bitmaps;
    this.unaware = unaware;
    this.replaced = replaced;
  }

  /**
   * @param changed the only files whose bitmaps may be changed
   */
  static AppendDeletions of(BucketFiles files, BucketState bucket, Collection<DataFile> changed)
      throws IOException {
    if (bucket.totalBuckets() > 0) {
      return new AppendDeletions(BucketDeletions.of(files, bucket), false, List.of());
    }
    Set<String> names = changed.stream().map(DataFile::name).collect(Collectors.toSet());
    List<DeletionFile> read =
        bucket.deletions().stream().filter(file -> mayHold(file, names)).toList();
    BucketState part =
        new BucketState(
            bucket.id(), bucket.directory(), bucket.totalBuckets(), bucket.files(), read);
    return new AppendDeletions(
        BucketDeletions.of(files, part), true, read.stream().map(DeletionFile::name).toList());
  }

  /** A DELETE_MAP does not say which files it is about. */
  private static boolean mayHold(DeletionFile file, Set<String> dataFiles) {
    return file.deleteMap()
        || file.ranges().stream().anyMatch(range -> dataFiles.contains(range.dataFile()));
  }

  BucketDeletions bitmaps() {
    return bitmaps;
  }

  /** Writes the bitmaps anew; null if no file is needed. */
  DeletionFile write() throws IOException {
    return unaware && bitmaps.isEmpty() ? null : bitmaps.write();
  }

  /** Names of the deletion files that {@link #write} replaces, if the bucket is an unaware one. */
  List<String> replaced() {
    return replaced;
  }
}
