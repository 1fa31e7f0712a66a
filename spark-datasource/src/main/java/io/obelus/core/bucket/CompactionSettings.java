package io.obelus.core.bucket;

import java.io.Serializable;

/**
 * When runs of a bucket are merged (spec chapter 08).
 *
 * @param trigger number of runs from which on a compaction is considered
 * @param levels number of levels, level 0 included
 * @param sizeRatio percent by which a run may be larger than those before it and still be taken
 *     along
 * @param maxAmplification percent of the oldest run's size that the newer ones together may reach
 * @param targetFileSize bytes; files of 0.7 of it are moved to another level as they are
 * @param onlyForced whether nothing is compacted but what has to be ({@code write-only})
 */
public record CompactionSettings(
    int trigger,
    int levels,
    int sizeRatio,
    int maxAmplification,
    long targetFileSize,
    boolean onlyForced)
    implements Serializable {}
