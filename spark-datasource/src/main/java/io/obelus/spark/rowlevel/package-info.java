/**
 * DELETE, UPDATE and MERGE: each a scan of one pinned snapshot followed by a write that builds on
 * it.
 *
 * <p>Called by {@code spark}. Reading is left to {@code spark.read}, routing and committing to
 * {@code spark.write}; this package says which columns identify a row and turns Spark's row changes
 * into rows with a kind. Start at {@link io.obelus.spark.rowlevel.ObelusRowLevelOperationBuilder}.
 */
package io.obelus.spark.rowlevel;
