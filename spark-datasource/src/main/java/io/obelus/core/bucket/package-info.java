/**
 * One bucket: sorted runs on levels, merge-on-write, compaction (spec chapters 08 and 09).
 *
 * <p>Sees a list of data files and their deletion bitmaps ({@link
 * io.obelus.core.bucket.BucketState}) and returns what changed ({@link
 * io.obelus.core.bucket.BucketChange}). Called by tasks of a write or a compaction, and by {@code
 * table.scan} where runs must be merged to be read. Knows nothing of manifests, snapshots or other
 * buckets. Start at {@link io.obelus.core.bucket.KeyedTasks}.
 */
package io.obelus.core.bucket;
