package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import java.util.List;

/**
 * Data files of one level of a bucket whose key ranges do not overlap, in key order. A level-0 file
 * of another writer is a run of its own.
 */
record SortedRun(int level, List<DataFile> files) {

  SortedRun {
    files = List.copyOf(files);
  }

  /** Bytes of all files. */
  long size() {
    return files.stream().mapToLong(DataFile::size).sum();
  }
}
