/**
 * Reading for Spark: from pushed-down columns and conditions to column batches.
 *
 * <p>Called by {@code spark} and {@code spark.rowlevel}, which say which table at which snapshot.
 * Knows nothing of writing, nor of how a split is read: that is {@code table.scan}. Start at {@link
 * ObelusScanBuilder}.
 */
package io.obelus.spark.read;
