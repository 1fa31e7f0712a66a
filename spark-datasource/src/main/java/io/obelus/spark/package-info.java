/**
 * The entry points: what a user names in Spark's configuration or in {@code format("obelus")}.
 *
 * <p>Called by Spark. Ties reading, writing and the warehouse together and does none of it itself.
 * Start at {@link io.obelus.spark.ObelusCatalog}.
 */
package io.obelus.spark;
