/**
 * From a snapshot and a condition to splits, and from a split to live rows.
 *
 * <p>Called by {@code spark.read}. Knows nothing of commits or of Spark's connector. Start at
 * {@link io.obelus.core.table.scan.ScanPlan}; the one line that applies deletion bitmaps is in
 * {@link io.obelus.core.table.scan.SplitReader}.
 */
package io.obelus.core.table.scan;
