/**
 * From bucket changes to the next snapshot: conflicts, retries, and what is deleted when a commit
 * is given up (spec chapter 11).
 *
 * <p>Called by whoever has let tasks change buckets: writes, row-level changes, compaction. Knows
 * nothing of scans or rows: it sees files, bitmaps and bounds. Start at {@link Commit}.
 */
package io.obelus.core.table.commit;
