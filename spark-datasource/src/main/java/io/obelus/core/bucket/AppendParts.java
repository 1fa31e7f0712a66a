package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cuts a large unaware bucket into parts that can be compacted at the same time: small files
 * without a bitmap by their size, and one part with all that is left, in the order that it had.
 * Files with bitmaps stay together, since a deletion file is about any of them and is replaced as a
 * whole.
 */
final class AppendParts {

  /** Bytes of a part, in target file sizes: enough small files to be worth a task. */
  private static final long FILES_OF_A_PART = 8;

  private AppendParts() {}

  /** The parts; every file of the bucket is in one of them. */
  static List<BucketState> of(BucketState bucket, AppendSettings settings) {
    Set<String> withBitmap =
        bucket.deletions().stream()
            .flatMap(file -> file.ranges().stream())
            .map(DeletionFile.Range::dataFile)
            .collect(Collectors.toSet());
    boolean known = bucket.deletions().stream().noneMatch(DeletionFile::deleteMap);
    if (bucket.totalBuckets() > 0 || !known) {
      return List.of(bucket);
    }
    List<BucketState> parts = new ArrayList<>();
    Set<DataFile> cutOff = new HashSet<>();
    List<DataFile> part = new ArrayList<>();
    long bytes = 0;
    for (DataFile file : bucket.files()) {
      if (settings.isSmall(file) && !withBitmap.contains(file.name())) {
        part.add(file);
        bytes += file.size();
      }
      if (bytes >= FILES_OF_A_PART * settings.targetFileSize()) {
        parts.add(part(bucket, part, List.of()));
        cutOff.addAll(part);
        part = new ArrayList<>();
        bytes = 0;
      }
    }
    List<DataFile> rest = bucket.files().stream().filter(file -> !cutOff.contains(file)).toList();
    parts.add(part(bucket, rest, bucket.deletions()));
    return parts;
  }

  private static BucketState part(
      BucketState bucket, List<DataFile> files, List<DeletionFile> deletions) {
    return new BucketState(
        bucket.id(), bucket.directory(), bucket.totalBuckets(), files, deletions);
  }
}
