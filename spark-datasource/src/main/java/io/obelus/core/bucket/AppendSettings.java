package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import java.io.Serializable;

/**
 * When files of an append bucket are rewritten (spec chapters 08 and 15).
 *
 * @param minFiles so many small files are merged by a compaction that does only what is due
 * @param targetFileSize bytes
 * @param mostStruckOut share of struck-out rows, 0 to 1, above which a file is due
 */
public record AppendSettings(int minFiles, long targetFileSize, double mostStruckOut)
    implements Serializable {

  private static final double LARGE_ENOUGH = 0.7; // of the target size: not worth rewriting

  boolean isSmall(DataFile file) {
    return file.size() < LARGE_ENOUGH * targetFileSize;
  }
}
