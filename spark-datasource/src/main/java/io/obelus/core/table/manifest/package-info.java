/**
 * Manifest lists, manifests and index manifests: which files a table has, and what is known of them
 * (spec chapter 04).
 *
 * <p>Called by {@code table.snapshot}, which replays them, and by {@code table.commit}, which
 * writes them. The only package that knows Avro. Knows nothing of snapshots: give it the name of a
 * list. Start at {@link Manifests} for reading and {@link ManifestWriter} for writing.
 */
package io.obelus.core.table.manifest;
