/**
 * Spark's conditions in our terms, and our bucket function in Spark's.
 *
 * <p>Called by {@code spark.read} to skip files and rows, and by {@code spark.write} and {@code
 * spark} for deletes and overwrites that go by whole partitions. Knows nothing of files. Start at
 * {@link SparkPredicates}.
 */
package io.obelus.spark.expression;
