/**
 * Deletion bitmaps: reading and writing them, one deletion file at a time.
 *
 * <p>Called by {@code bucket}, which decides what is deleted, and by {@code table.scan}, which
 * skips it. Knows nothing of snapshots or manifests: give it a {@link
 * io.obelus.core.file.deletion.DeletionFile}. Start at {@link
 * io.obelus.core.file.deletion.DeletionFiles}.
 */
package io.obelus.core.file.deletion;
