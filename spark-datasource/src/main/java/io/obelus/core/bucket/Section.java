package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import java.util.List;

/**
 * Files of a bucket that are chained by overlapping key ranges: no key of theirs is in any other
 * section.
 *
 * @param runs newest first; each holds only the files of this section
 */
public record Section(List<List<DataFile>> runs) {

  public Section {
    runs = List.copyOf(runs);
  }

  /** All files. */
  public List<DataFile> files() {
    return runs.stream().flatMap(List::stream).toList();
  }
}
