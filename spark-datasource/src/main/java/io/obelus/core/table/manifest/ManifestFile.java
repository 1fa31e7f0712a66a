package io.obelus.core.table.manifest;

import io.obelus.core.file.data.ColumnStats;
import java.io.Serializable;

/**
 * One line of a manifest list: a manifest and what is known of its entries (spec chapter 04).
 * Bucket and level bounds are null if unknown.
 */
public record ManifestFile(
    String name,
    long size,
    long added,
    long deleted,
    ColumnStats partitionStats,
    long schemaId,
    Integer minBucket,
    Integer maxBucket,
    Integer minLevel,
    Integer maxLevel)
    implements Serializable {}
