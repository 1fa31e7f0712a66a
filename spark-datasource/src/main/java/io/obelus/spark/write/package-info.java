/**
 * Writes in Spark's terms: where rows have to go, the task that hands them to their buckets, and
 * the driver that commits what came back.
 *
 * <p>Called by {@code spark}, which makes an {@link io.obelus.spark.write.ObelusWriteBuilder} for
 * each statement, and by {@code rowlevel}, whose deletes and updates take the same way. Knows
 * nothing of files: {@code core.bucket} writes them and {@code core.table.commit} makes them
 * visible. Start at {@link io.obelus.spark.write.ObelusWriteBuilder}.
 */
package io.obelus.spark.write;
