/**
 * Which option wins: the statement's, else the session's {@code spark.obelus.<name>}, else the
 * table's.
 *
 * <p>Called by {@code spark.read} and {@code spark.write} once per statement, on the driver. Knows
 * nothing of scans and writes themselves. Start at {@link StatementOptions}.
 */
package io.obelus.spark.option;
