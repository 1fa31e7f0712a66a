package io.obelus.core.bucket;

import java.io.Serializable;

/**
 * When files of an append bucket are rewritten (spec chapters 08 and 15).
 *
 * @param minFiles so many small files are merged by a compaction that does only what is due
 * @param targetFileSize bytes; files of 0.7 of it are not small
 * @param mostStruckOut share of struck-out rows, 0 to 1, above which a file is due
 */
public record AppendSettings(int minFiles, long targetFileSize, double mostStruckOut)
    implements Serializable {}
