/**
 * What {@code CALL} can do, one class for each procedure: check the arguments, let the core do the
 * work, return rows.
 *
 * <p>Called by {@code procedure.sql}, which understands the statement. Knows nothing of parsing,
 * and nothing of files and buckets beyond what {@code core.table.maintenance} offers. Start at
 * {@link io.obelus.procedure.Procedure}.
 */
package io.obelus.procedure;
