/**
 * Snapshots of a table: their files, the hints beside them, and the table as a whole at one of
 * them.
 *
 * <p>Called by scans and commits. Knows schemas and manifests, no split and no conflict. Start at
 * {@link io.obelus.core.table.snapshot.Table}; the bytes are in {@link
 * io.obelus.core.table.snapshot.SnapshotFormat}.
 */
package io.obelus.core.table.snapshot;
